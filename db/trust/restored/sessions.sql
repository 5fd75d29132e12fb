-- Run on the copy of a backup before it takes the place of the database. Sessions that ended since the backup would be valid again.
DELETE FROM session;
