-- Run on the copy of a backup before it takes the place of the database. The proof of a challenge that was consumed since the backup would be
-- accepted again.
DELETE FROM challenge WHERE consumed_at IS NULL;
