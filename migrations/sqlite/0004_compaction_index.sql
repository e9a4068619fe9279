-- The same rows, in the words of the query: SQLite uses a partial index only where the query says its condition.
DROP INDEX room_to_compact;
CREATE INDEX room_to_compact ON room (finished_at_ms) WHERE finished_at_ms IS NOT NULL AND NOT compacted;
