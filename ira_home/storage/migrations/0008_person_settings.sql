-- What a person chose of time, looks and being told. Empty: as the house has it, or as the browser does.
ALTER TABLE user_settings ADD COLUMN time_zone TEXT NOT NULL DEFAULT '';
ALTER TABLE user_settings ADD COLUMN page_language TEXT NOT NULL DEFAULT '';
ALTER TABLE user_settings ADD COLUMN theme TEXT NOT NULL DEFAULT 'system';
ALTER TABLE user_settings ADD COLUMN text_size TEXT NOT NULL DEFAULT 'normal';
ALTER TABLE user_settings ADD COLUMN quiet_from TEXT NOT NULL DEFAULT '';   -- HH:MM
ALTER TABLE user_settings ADD COLUMN quiet_until TEXT NOT NULL DEFAULT '';
ALTER TABLE user_settings ADD COLUMN events TEXT NOT NULL DEFAULT '{}';     -- JSON: ways by kind, where not the usual
