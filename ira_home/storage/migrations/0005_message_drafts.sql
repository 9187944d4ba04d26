-- What a brain has said of an answer that is not ended: kept as it grows, so that a server that is killed loses next to
-- nothing of what people have seen. It becomes a message at the end of its step, or at the next start.
CREATE TABLE message_drafts (
    turn_id TEXT PRIMARY KEY REFERENCES turns (id) ON DELETE CASCADE,
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    text    TEXT NOT NULL,
    label   TEXT NOT NULL,
    source  TEXT NOT NULL,
    private INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
