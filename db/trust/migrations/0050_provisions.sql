-- Who lets agents in without an API key. Addresses are stored as HMAC-SHA256 with the key of this table, and deleted after a day.

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

-- The /24 of IPv4 or /48 of IPv6 of the addresses from which payers with the quota of FREE came. A network shares a part of the storage.
CREATE TABLE free_network (
  network_seq  INTEGER PRIMARY KEY,
  network_hash BLOB NOT NULL UNIQUE CHECK (length(network_hash) = 32)
) STRICT;
CREATE TABLE payer_network (
  payer       TEXT    NOT NULL CHECK (length(payer) BETWEEN 1 AND 32),
  payer_seq   INTEGER NOT NULL,
  network_seq INTEGER NOT NULL REFERENCES free_network (network_seq),
  PRIMARY KEY (payer, payer_seq)
) STRICT, WITHOUT ROWID;
