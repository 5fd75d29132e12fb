-- The mark of a new database is no random number, so that all new databases are the same and a build can contain one. Nothing may do
-- anything yet; the first operator draws a mark.
UPDATE authority_mark SET mark = 0 WHERE NOT EXISTS (SELECT 1 FROM operator);
