-- Who got sandbox keys without a key. Addresses are stored as HMAC-SHA256 with the key of this table, and deleted after a day.

CREATE TABLE provision_key (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  key BLOB NOT NULL CHECK (length(key) = 32)
) STRICT;

CREATE TABLE provision (
  provision_seq INTEGER PRIMARY KEY,
  address_hash  BLOB NOT NULL CHECK (length(address_hash) = 32),
  -- Milliseconds since 1970.
  created_at    INTEGER NOT NULL CHECK (created_at >= 0)
) STRICT;
CREATE INDEX provision_by_address ON provision (address_hash, created_at);
CREATE INDEX provision_by_time ON provision (created_at);
