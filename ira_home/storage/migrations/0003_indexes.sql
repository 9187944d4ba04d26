-- The search index holds what a person can search and nothing else: their own messages and Ira's
-- answers. Words that came from devices and the web were in it too, could never be found by it,
-- and made a long result take milliseconds to keep.
DROP TRIGGER messages_fts_add;
DROP TRIGGER messages_fts_drop;
DROP TRIGGER messages_fts_edit;
DROP TABLE messages_fts;

CREATE VIEW messages_searched AS SELECT id, text FROM messages WHERE kind IN ('person', 'ira');
CREATE VIRTUAL TABLE messages_fts USING fts5 (
    text, content = 'messages_searched', content_rowid = 'id',
    tokenize = "unicode61 remove_diacritics 0"
);
CREATE TRIGGER messages_fts_add AFTER INSERT ON messages WHEN new.kind IN ('person', 'ira') BEGIN
    INSERT INTO messages_fts (rowid, text) VALUES (new.id, new.text);
END;
CREATE TRIGGER messages_fts_drop AFTER DELETE ON messages WHEN old.kind IN ('person', 'ira') BEGIN
    INSERT INTO messages_fts (messages_fts, rowid, text) VALUES ('delete', old.id, old.text);
END;
CREATE TRIGGER messages_fts_edit AFTER UPDATE OF text ON messages
WHEN old.kind IN ('person', 'ira') BEGIN
    INSERT INTO messages_fts (messages_fts, rowid, text) VALUES ('delete', old.id, old.text);
    INSERT INTO messages_fts (rowid, text) VALUES (new.id, new.text);
END;
INSERT INTO messages_fts (messages_fts) VALUES ('rebuild');

-- Asked at every step of a turn, or whenever a proposal may have run out: read by an index.
CREATE INDEX pending_actions_conversation ON pending_actions (conversation_id, id);
CREATE INDEX pending_actions_waiting ON pending_actions (expires_at) WHERE state = 'waiting';
-- Asked only when somebody takes all their data away, and kept at every word that is written.
DROP INDEX messages_user;
