-- What tools of the house were given and may have kept. `tool_texts` has prints of people's own texts, by whom: hashes
-- alone, keyed with the secret file, of which nothing can be read. `tool_taints` says of a tool file that it was given
-- words that nobody of the house said; what a brain hands over it may have rewritten, so nothing finer would hold.
CREATE TABLE tool_texts (
    keeper     TEXT NOT NULL,                    -- the tool file whose tables may hold the text
    print      INTEGER NOT NULL,
    user_id    INTEGER NOT NULL,                 -- no reference: a person who is gone stays somebody else
    created_at TEXT NOT NULL,
    PRIMARY KEY (keeper, print, user_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE tool_taints (
    keeper     TEXT NOT NULL,
    label      TEXT NOT NULL CHECK (label IN ('device', 'web')),
    created_at TEXT NOT NULL,
    PRIMARY KEY (keeper, label)
) STRICT, WITHOUT ROWID;
