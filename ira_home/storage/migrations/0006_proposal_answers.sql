-- With what a proposal was answered: the kind of credential and its number. Both NULL where nobody answered.
ALTER TABLE pending_actions ADD COLUMN answered_with TEXT;
ALTER TABLE pending_actions ADD COLUMN answered_by INTEGER;
