-- Prints of texts that tools of the house were given and may have kept: by whom, and whether they were that
-- person's own words. Hashes alone, keyed with the secret file: nothing can be read from them.
CREATE TABLE tool_texts (
    keeper     TEXT NOT NULL,                    -- the tool file whose tables may hold the text
    size       INTEGER NOT NULL,                 -- letters and digits that the print is of
    print      INTEGER NOT NULL,
    label      TEXT NOT NULL CHECK (label IN ('own', 'house', 'device', 'web')),
    user_id    INTEGER NOT NULL,                 -- no reference: a person who is gone stays somebody else
    created_at TEXT NOT NULL,
    PRIMARY KEY (keeper, size, print, user_id, label)
) STRICT, WITHOUT ROWID;
