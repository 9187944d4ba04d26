-- Times are UTC milliseconds since 1970. Every row of a person goes with the account (ON DELETE CASCADE).

CREATE TABLE house (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Encrypted with the secret file (storage/vault.py): API keys, bot tokens.
CREATE TABLE secrets (
    name   TEXT PRIMARY KEY,
    sealed BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE users (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    email         TEXT NOT NULL UNIQUE,          -- case-folded
    name          TEXT NOT NULL,
    role          TEXT NOT NULL CHECK (role IN ('owner', 'admin', 'staff')),
    password_hash TEXT NOT NULL,
    pin_hash      TEXT,
    created_at    INTEGER NOT NULL
) STRICT;

CREATE TABLE user_settings (
    user_id        INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    assistant_name TEXT NOT NULL,
    wake_phrase    TEXT NOT NULL,
    languages      TEXT NOT NULL,                -- comma separated
    reply_language TEXT NOT NULL,
    web_search     INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE sessions (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id     INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    token_hash  BLOB NOT NULL UNIQUE,            -- SHA-256
    agent       TEXT NOT NULL,                   -- browser as it names itself, cut
    address     TEXT NOT NULL,
    created_at  INTEGER NOT NULL,
    used_at     INTEGER NOT NULL,
    verified_at INTEGER                          -- password given again
) STRICT;
CREATE INDEX sessions_user ON sessions (user_id);

CREATE TABLE api_tokens (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id    INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name       TEXT NOT NULL,
    token_hash BLOB NOT NULL UNIQUE,
    scopes     TEXT NOT NULL,                    -- comma separated
    created_at INTEGER NOT NULL,
    used_at    INTEGER
) STRICT;
CREATE INDEX api_tokens_user ON api_tokens (user_id);

-- Tries that a throttle counts; `subject` is hashed where it is an address or an e-mail.
CREATE TABLE throttle (
    id      INTEGER PRIMARY KEY,
    bucket  TEXT NOT NULL,
    subject TEXT NOT NULL,
    user_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
    at      INTEGER NOT NULL
) STRICT;
CREATE INDEX throttle_subject ON throttle (bucket, subject, at);

CREATE TABLE holds (
    bucket  TEXT NOT NULL,
    subject TEXT NOT NULL,
    user_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
    until   INTEGER NOT NULL,
    PRIMARY KEY (bucket, subject)
) STRICT, WITHOUT ROWID;

CREATE TABLE invitations (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    token_hash BLOB NOT NULL UNIQUE,
    email      TEXT NOT NULL,
    role       TEXT NOT NULL,
    made_by    INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;

CREATE TABLE devices (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id    INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    kind       TEXT NOT NULL CHECK (kind IN ('mac', 'windows', 'linux', 'android', 'ios')),
    label      TEXT NOT NULL,
    token_hash BLOB NOT NULL UNIQUE,             -- SHA-256
    skills     TEXT NOT NULL,                    -- JSON list: switched on
    decided    TEXT NOT NULL,                    -- JSON list: ever chosen or switched by the person
    tools      TEXT NOT NULL DEFAULT '[]',       -- JSON list: definitions of the last good hello
    version    TEXT NOT NULL DEFAULT '',
    paired_from TEXT NOT NULL DEFAULT '',        -- address of the claim
    created_at INTEGER NOT NULL,
    last_seen  INTEGER,
    last_event INTEGER,                          -- when its last event was accepted
    revoked_at INTEGER
) STRICT;
CREATE INDEX devices_user ON devices (user_id);

CREATE TABLE device_pairings (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id    INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    code_hash  BLOB NOT NULL UNIQUE,             -- HMAC-SHA-256 under the secret file
    kind       TEXT NOT NULL,
    label      TEXT NOT NULL,
    skills     TEXT NOT NULL,                    -- JSON list
    uses_left  INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX device_pairings_user ON device_pairings (user_id);

CREATE TABLE device_events (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id    INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    device_id  INTEGER NOT NULL REFERENCES devices (id) ON DELETE CASCADE,
    device     TEXT NOT NULL,
    event      TEXT NOT NULL,
    title      TEXT NOT NULL,
    text       TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    read_at    INTEGER
) STRICT;
CREATE INDEX device_events_user ON device_events (user_id, id);

-- The definition of a tool that holds until its person agrees to a freer one (DESIGN 4).
CREATE TABLE tool_definitions (
    device_id  INTEGER NOT NULL REFERENCES devices (id) ON DELETE CASCADE,
    name       TEXT NOT NULL,
    definition TEXT NOT NULL,                    -- JSON: the one agreed to
    agreed_at  INTEGER NOT NULL,
    PRIMARY KEY (device_id, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE conversations (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id       INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    title         TEXT NOT NULL,
    title_private INTEGER NOT NULL DEFAULT 0,
    created_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL
) STRICT;
CREATE INDEX conversations_user ON conversations (user_id, updated_at);

CREATE TABLE messages (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation_id INTEGER NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    user_id         INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    turn_id         TEXT NOT NULL,
    kind            TEXT NOT NULL CHECK (kind IN ('person', 'ira', 'call', 'result', 'note')),
    text            TEXT NOT NULL,
    label           TEXT NOT NULL,
    source          TEXT NOT NULL DEFAULT '',
    private         INTEGER NOT NULL DEFAULT 0,
    tool            TEXT,
    call_id         TEXT,
    device_id       INTEGER,
    outcome         TEXT,
    complete        INTEGER NOT NULL DEFAULT 1,
    created_at      INTEGER NOT NULL
) STRICT;
CREATE INDEX messages_conversation ON messages (conversation_id, id);
CREATE INDEX messages_user ON messages (user_id);

-- What a person can search: their own messages and Ira's answers to them.
CREATE VIRTUAL TABLE messages_fts USING fts5 (
    text, content = 'messages', content_rowid = 'id', tokenize = "unicode61 remove_diacritics 0"
);
CREATE TRIGGER messages_fts_add AFTER INSERT ON messages BEGIN
    INSERT INTO messages_fts (rowid, text) VALUES (new.id, new.text);
END;
CREATE TRIGGER messages_fts_drop AFTER DELETE ON messages BEGIN
    INSERT INTO messages_fts (messages_fts, rowid, text) VALUES ('delete', old.id, old.text);
END;
CREATE TRIGGER messages_fts_edit AFTER UPDATE OF text ON messages BEGIN
    INSERT INTO messages_fts (messages_fts, rowid, text) VALUES ('delete', old.id, old.text);
    INSERT INTO messages_fts (rowid, text) VALUES (new.id, new.text);
END;

-- A turn that can be resumed after its proposal is answered.
CREATE TABLE turns (
    id              TEXT PRIMARY KEY,
    conversation_id INTEGER NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    user_id         INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    channel         TEXT NOT NULL,
    here_device_id  INTEGER,                     -- the device whose own token asked
    calls           INTEGER NOT NULL DEFAULT 0,
    proposals       INTEGER NOT NULL DEFAULT 0,
    seconds         REAL NOT NULL DEFAULT 0,
    state           TEXT NOT NULL CHECK (state IN ('working', 'waiting', 'ended', 'cancelled', 'broken')),
    created_at      INTEGER NOT NULL
) STRICT;
CREATE INDEX turns_conversation ON turns (conversation_id);

CREATE TABLE pending_actions (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id         INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    conversation_id INTEGER NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    turn_id         TEXT NOT NULL,
    call_id         TEXT NOT NULL,
    tool            TEXT NOT NULL,
    device_id       INTEGER REFERENCES devices (id) ON DELETE CASCADE,
    device          TEXT,
    skills          TEXT NOT NULL,               -- JSON list
    tier            INTEGER NOT NULL,
    payload         BLOB NOT NULL,               -- the exact bytes shown and run
    digest          TEXT NOT NULL,
    text            TEXT NOT NULL,               -- the read-back
    from_untrusted  TEXT NOT NULL,               -- JSON list of {argument, source}
    created_at      INTEGER NOT NULL,
    expires_at      INTEGER NOT NULL,
    state           TEXT NOT NULL
) STRICT;
CREATE INDEX pending_actions_user ON pending_actions (user_id, state);
CREATE UNIQUE INDEX pending_actions_one_open ON pending_actions (conversation_id)
    WHERE state IN ('waiting', 'running');

CREATE TABLE tool_log (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id    INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    channel    TEXT NOT NULL,
    tool       TEXT NOT NULL,
    device_id  INTEGER,
    tier       INTEGER NOT NULL,
    confirmed  TEXT NOT NULL,
    outcome    TEXT NOT NULL,                    -- 'unknown' until the call has ended
    seconds    REAL NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX tool_log_user ON tool_log (user_id, id);

CREATE TABLE change_log (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    actor      TEXT NOT NULL,
    change     TEXT NOT NULL,
    subject    TEXT NOT NULL,
    detail     TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE idempotency (
    user_id      INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    key_hash     BLOB NOT NULL,                  -- SHA-256 of route and key
    request_hash BLOB NOT NULL,
    result       TEXT NOT NULL,                  -- name of the resulting thing, never a secret or a body
    created_at   INTEGER NOT NULL,
    PRIMARY KEY (user_id, key_hash)
) STRICT, WITHOUT ROWID;
