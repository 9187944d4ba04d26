-- Whose words the tables of a tool file of the house may hold: `tool_authors` says which people gave it texts,
-- `tool_taints` that it was given words that nobody of the house said. What was handed over may have been cut up, padded
-- or written in signs, by a brain or by a person, before it is shown again; so nothing finer than the file would hold.
CREATE TABLE tool_authors (
    keeper     TEXT NOT NULL,                    -- the tool file
    user_id    INTEGER NOT NULL,                 -- no reference: a person who is gone stays somebody else
    created_at TEXT NOT NULL,
    PRIMARY KEY (keeper, user_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE tool_taints (
    keeper     TEXT NOT NULL,
    label      TEXT NOT NULL CHECK (label IN ('device', 'web')),
    created_at TEXT NOT NULL,
    PRIMARY KEY (keeper, label)
) STRICT, WITHOUT ROWID;
