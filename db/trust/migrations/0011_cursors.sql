-- The key that encrypts the cursors of lists, in one row: cursors stay valid after a restart and after a restore.

CREATE TABLE cursor_key (
  one        INTEGER PRIMARY KEY CHECK (one = 1),
  key        BLOB NOT NULL CHECK (length(key) = 32),
  created_at TEXT NOT NULL
) STRICT;
