-- Partners, their API keys and what they use, and the secrets of the service itself.

CREATE TABLE partner (
  partner_seq INTEGER PRIMARY KEY,
  partner_id  BLOB NOT NULL UNIQUE CHECK (length(partner_id) = 16),
  name        TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  -- In lower case, as it is compared.
  email       TEXT NOT NULL UNIQUE CHECK (length(email) BETWEEN 3 AND 254),
  created_at  TEXT NOT NULL,
  promoted_at TEXT,
  -- When an administrator deleted its keys: no e-mail brings another key.
  closed_at   TEXT
) STRICT;

CREATE TABLE partner_key (
  key_id      BLOB NOT NULL PRIMARY KEY CHECK (length(key_id) = 16),
  -- SHA-256; the key itself is stored nowhere.
  key_hash    BLOB NOT NULL UNIQUE CHECK (length(key_hash) = 32),
  partner_seq INTEGER NOT NULL REFERENCES partner (partner_seq),
  tier        TEXT NOT NULL CHECK (tier IN ('sandbox', 'live')),
  scopes      TEXT NOT NULL CHECK (json_array_length(scopes) >= 1),
  last4       TEXT NOT NULL CHECK (length(last4) = 4),
  created_at  TEXT NOT NULL,
  revoked_at  TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX partner_key_by_partner ON partner_key (partner_seq, tier, created_at);

CREATE TRIGGER partner_key_at_most_two BEFORE INSERT ON partner_key
WHEN (
  SELECT count(*) FROM partner_key
  WHERE partner_seq = NEW.partner_seq AND tier = NEW.tier AND revoked_at IS NULL
) >= 2
BEGIN SELECT RAISE(ABORT, 'two keys of this tier are active'); END;

-- Requests by day (UTC), refused ones apart.
CREATE TABLE usage_day (
  partner_seq INTEGER NOT NULL REFERENCES partner (partner_seq),
  tier        TEXT NOT NULL CHECK (tier IN ('sandbox', 'live')),
  day         TEXT NOT NULL CHECK (length(day) = 10),
  requests    INTEGER NOT NULL CHECK (requests >= 0),
  PRIMARY KEY (partner_seq, tier, day)
) STRICT, WITHOUT ROWID;

-- Such as the key that encrypts cursors, and the SHA-256 of the admin token.
CREATE TABLE secret (
  name  TEXT NOT NULL PRIMARY KEY CHECK (length(name) BETWEEN 1 AND 64),
  value BLOB NOT NULL CHECK (length(value) = 32)
) STRICT, WITHOUT ROWID;
