-- Firms with their keys and what they use, their requisitions, and what the service keeps for itself.

CREATE TABLE partner (
  partner_seq INTEGER PRIMARY KEY,
  partner_id  BLOB NOT NULL UNIQUE CHECK (length(partner_id) = 16),
  name        TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  -- As it is compared: lower case.
  email       TEXT NOT NULL UNIQUE CHECK (length(email) BETWEEN 3 AND 254),
  created_at  TEXT NOT NULL,
  promoted_at TEXT,
  -- The operator took its keys away: no mail brings another.
  closed_at   TEXT
) STRICT;

CREATE TABLE partner_key (
  key_id      BLOB NOT NULL PRIMARY KEY CHECK (length(key_id) = 16),
  -- SHA-256; the key itself is stored nowhere.
  key_hash    BLOB NOT NULL UNIQUE CHECK (length(key_hash) = 32),
  partner_seq INTEGER NOT NULL REFERENCES partner (partner_seq),
  tier        TEXT NOT NULL CHECK (tier IN ('sandbox', 'live')),
  scopes      TEXT NOT NULL CHECK (json_array_length(scopes) BETWEEN 1 AND 3),
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

-- Clinicians who are not to be found, in this registry and in all that come.
CREATE TABLE suppression (
  npi    INTEGER NOT NULL PRIMARY KEY CHECK (npi BETWEEN 1000000000 AND 2999999999),
  reason TEXT NOT NULL CHECK (length(reason) BETWEEN 1 AND 1024),
  at     TEXT NOT NULL
) STRICT;

-- What the service keeps for itself: the key of the cursors' checksums, the SHA-256 of the admin token.
CREATE TABLE secret (
  name  TEXT NOT NULL PRIMARY KEY CHECK (name IN ('cursor_key', 'admin_token_hash')),
  value BLOB NOT NULL CHECK (length(value) = 32)
) STRICT, WITHOUT ROWID;

-- The first answer to a request with an Idempotency-Key, without its secrets, for as long as it is replayed. Rows lie in
-- order of time; scopes are random, so their index is kept small: half of a SHA-256.
CREATE TABLE idempotency (
  idempotency_seq INTEGER PRIMARY KEY,
  scope           BLOB NOT NULL CHECK (length(scope) = 16),
  body_digest     BLOB NOT NULL CHECK (length(body_digest) = 32),
  answer          TEXT NOT NULL CHECK (json_valid(answer)),
  created_at      TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX idempotency_by_scope ON idempotency (scope);

CREATE TABLE requisition (
  requisition_seq INTEGER PRIMARY KEY,
  requisition_id  BLOB NOT NULL UNIQUE CHECK (length(requisition_id) = 16),
  partner_seq     INTEGER NOT NULL REFERENCES partner (partner_seq),
  mode            TEXT NOT NULL CHECK (mode IN ('sandbox', 'live')),
  status          TEXT NOT NULL CHECK (status IN ('submitted', 'open', 'on_hold', 'filled', 'cancelled', 'closed')),
  title           TEXT NOT NULL,
  specialty       TEXT NOT NULL,
  specialty_code  TEXT,
  state           TEXT NOT NULL CHECK (length(state) = 2),
  city            TEXT,
  weeks           INTEGER CHECK (weeks BETWEEN 1 AND 104),
  external_id     TEXT,
  positions       INTEGER NOT NULL CHECK (positions BETWEEN 1 AND 999),
  start_date      TEXT CHECK (length(start_date) = 10),
  shift           TEXT CHECK (shift IN ('day', 'night', 'evening', 'rotating')),
  employment_type TEXT CHECK (employment_type IN ('travel', 'per_diem', 'locum', 'perm')),
  notes           TEXT,
  -- SHA-256 of the canonical JSON of the body that it was submitted with.
  body_digest     BLOB NOT NULL CHECK (length(body_digest) = 32),
  created_at      TEXT NOT NULL,
  updated_at      TEXT NOT NULL,
  -- Nobody works a sandbox requisition, and none of a live one waits to be worked.
  CHECK (CASE mode WHEN 'sandbox' THEN status IN ('submitted', 'cancelled') ELSE status <> 'submitted' END)
) STRICT;
CREATE UNIQUE INDEX requisition_by_external_id ON requisition (partner_seq, mode, external_id)
  WHERE external_id IS NOT NULL;
CREATE INDEX requisition_by_partner ON requisition (partner_seq, mode, created_at);
CREATE INDEX requisition_by_status ON requisition (partner_seq, mode, status, created_at);
CREATE INDEX requisition_by_time ON requisition (created_at);

CREATE TRIGGER requisition_sandbox_cap BEFORE INSERT ON requisition
WHEN NEW.mode = 'sandbox' AND (
  SELECT count(*) FROM requisition WHERE partner_seq = NEW.partner_seq AND mode = 'sandbox'
) >= 25
BEGIN SELECT RAISE(ABORT, '25 sandbox requisitions are stored'); END;

CREATE TRIGGER requisition_live_stays BEFORE DELETE ON requisition WHEN OLD.mode = 'live'
BEGIN SELECT RAISE(ABORT, 'a live requisition is never deleted'); END;

CREATE TRIGGER requisition_ends BEFORE UPDATE ON requisition
WHEN OLD.status IN ('filled', 'cancelled', 'closed')
BEGIN SELECT RAISE(ABORT, 'the requisition has ended'); END;

CREATE TABLE requisition_move (
  requisition_seq INTEGER NOT NULL REFERENCES requisition (requisition_seq) ON DELETE CASCADE,
  place           INTEGER NOT NULL CHECK (place >= 1),
  status          TEXT NOT NULL,
  at              TEXT NOT NULL,
  PRIMARY KEY (requisition_seq, place)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER requisition_move_stays BEFORE UPDATE ON requisition_move
BEGIN SELECT RAISE(ABORT, 'history is only added to'); END;

-- Where a partner hears of its requisitions, for each mode one address.
CREATE TABLE webhook (
  webhook_id  BLOB NOT NULL PRIMARY KEY CHECK (length(webhook_id) = 16),
  partner_seq INTEGER NOT NULL REFERENCES partner (partner_seq),
  mode        TEXT NOT NULL CHECK (mode IN ('sandbox', 'live')),
  url         TEXT NOT NULL CHECK (length(url) BETWEEN 1 AND 4096),
  -- Sealed under the master key.
  secret      TEXT NOT NULL,
  created_at  TEXT NOT NULL,
  UNIQUE (partner_seq, mode)
) STRICT, WITHOUT ROWID;

-- Webhooks to be delivered, and what became of them. A row is written in the transaction of what it tells of.
CREATE TABLE delivery (
  delivery_seq    INTEGER PRIMARY KEY,
  delivery_id     BLOB NOT NULL UNIQUE CHECK (length(delivery_id) = 16),
  endpoint        TEXT NOT NULL CHECK (length(endpoint) BETWEEN 1 AND 255),
  url             TEXT NOT NULL CHECK (length(url) BETWEEN 1 AND 4096),
  event_type      TEXT NOT NULL CHECK (length(event_type) BETWEEN 1 AND 255),
  body            TEXT NOT NULL,
  created_at      TEXT NOT NULL,
  state           TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'failed')),
  attempts        INTEGER NOT NULL CHECK (attempts BETWEEN 0 AND 6),
  next_attempt_at TEXT CHECK ((next_attempt_at IS NOT NULL) = (state = 'pending')),
  ended_at        TEXT CHECK ((ended_at IS NULL) = (state = 'pending')),
  last_status     INTEGER CHECK (last_status BETWEEN 0 AND 999),
  last_error      TEXT CHECK (state <> 'delivered' OR last_error IS NULL)
) STRICT;
-- Both are partial, so that each holds only what is asked of it.
CREATE INDEX delivery_waiting ON delivery (endpoint, next_attempt_at, delivery_seq)
  WHERE next_attempt_at IS NOT NULL;
CREATE INDEX delivery_ended ON delivery (ended_at) WHERE ended_at IS NOT NULL;
