-- Pictures that a person's devices returned, beside the result they came with: they go with it, and so with its
-- conversation and its person. Their bytes stand nowhere else.
CREATE TABLE pictures (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id    INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    message_id INTEGER NOT NULL UNIQUE REFERENCES messages (id) ON DELETE CASCADE,
    media_type TEXT NOT NULL CHECK (media_type IN ('image/jpeg', 'image/png', 'image/webp')),
    width      INTEGER NOT NULL,
    height     INTEGER NOT NULL,
    data       BLOB NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX pictures_user ON pictures (user_id);
