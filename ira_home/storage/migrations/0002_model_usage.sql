-- What the models' servers said that their answers took, by month (UTC): nothing of a person.
CREATE TABLE model_usage (
    month             TEXT NOT NULL,             -- 2026-07
    model             TEXT NOT NULL,
    steps             INTEGER NOT NULL,
    prompt_tokens     INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    PRIMARY KEY (month, model)
) STRICT, WITHOUT ROWID;
