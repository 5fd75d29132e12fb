-- Run on the copy of a backup before it takes the place of the database. What was deleted or paid since the backup is not in it.
INSERT INTO restored (one, restored_at, data_until)
VALUES (1, CAST(unixepoch('subsec') * 1000 AS INTEGER), coalesce(
  (SELECT confirmed_at FROM clock_mark),
  (SELECT CAST(unixepoch(issued_at, 'subsec') * 1000 AS INTEGER) FROM checkpoint ORDER BY checkpoint_seq DESC LIMIT 1)))
ON CONFLICT (one) DO UPDATE SET restored_at = excluded.restored_at, data_until = excluded.data_until;
