-- Operators, their API keys, the sessions that keys open, and the token of the service itself.

CREATE TABLE operator (
  operator_seq     INTEGER PRIMARY KEY,
  operator_id      TEXT NOT NULL UNIQUE CHECK (operator_id GLOB 'op_cus_*' AND length(operator_id) = 31),
  name             TEXT CHECK (length(name) BETWEEN 1 AND 256),
  account_status   TEXT NOT NULL CHECK (account_status IN ('ACTIVE', 'SUSPENDED', 'CLOSED')),
  plan             TEXT NOT NULL DEFAULT 'FREE' CHECK (length(plan) BETWEEN 1 AND 32),
  credits          INTEGER NOT NULL DEFAULT 0 CHECK (credits BETWEEN 0 AND 9007199254740991),
  stake_cents      INTEGER NOT NULL DEFAULT 0 CHECK (stake_cents BETWEEN 0 AND 9007199254740991),
  -- Breaches up to this time no longer count at the gate.
  pardoned_at      TEXT,
  -- 1 for an operator that an agent made for itself by proof of work.
  self_provisioned INTEGER NOT NULL DEFAULT 0 CHECK (self_provisioned IN (0, 1)),
  -- The subject commitment of that agent; null for every other operator.
  provisioned_for  BLOB CHECK (provisioned_for IS NULL OR (self_provisioned = 1 AND length(provisioned_for) = 32)),
  created_at       TEXT NOT NULL
) STRICT;

CREATE TRIGGER operator_is_provisioned_once BEFORE UPDATE OF provisioned_for ON operator
WHEN NEW.provisioned_for IS NOT OLD.provisioned_for
BEGIN SELECT RAISE(ABORT, 'the agent that provisioned an operator does not change'); END;

CREATE TABLE api_key (
  key_hash           BLOB NOT NULL PRIMARY KEY CHECK (length(key_hash) = 32),
  operator_seq       INTEGER NOT NULL REFERENCES operator (operator_seq),
  role               TEXT NOT NULL CHECK (length(role) BETWEEN 1 AND 32),
  admin              INTEGER NOT NULL CHECK (admin IN (0, 1)),
  name               TEXT,
  -- The agent of a holder key. An issuer key has none.
  subject_commitment BLOB CHECK (length(subject_commitment) = 32),
  scope              TEXT CHECK (json_valid(scope)),
  created_at         TEXT NOT NULL,
  last_used_at       TEXT,
  CHECK (role <> 'holder' OR subject_commitment IS NOT NULL),
  CHECK (role <> 'issuer' OR subject_commitment IS NULL)
) STRICT, WITHOUT ROWID;
CREATE INDEX api_key_by_operator ON api_key (operator_seq, created_at, key_hash);
-- For counting and replacing the holder keys of one agent.
CREATE INDEX api_key_by_agent ON api_key (subject_commitment, operator_seq) WHERE subject_commitment IS NOT NULL;

-- A browser's session acts for the key that opened it, and ends with that key.
CREATE TABLE session (
  token_hash BLOB NOT NULL PRIMARY KEY CHECK (length(token_hash) = 32),
  key_hash   BLOB NOT NULL REFERENCES api_key (key_hash) ON DELETE CASCADE,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX session_by_key ON session (key_hash);
CREATE INDEX session_by_expiry ON session (expires_at);

-- Sessions are for people who manage an operator.
CREATE TRIGGER session_stands_for_an_issuer BEFORE INSERT ON session
WHEN (SELECT role FROM api_key WHERE key_hash = NEW.key_hash) = 'holder'
BEGIN SELECT RAISE(ABORT, 'a holder key opens no session'); END;

-- The token of the service itself, one row. A later start with another configured token replaces it.
CREATE TABLE service_token (
  one        INTEGER PRIMARY KEY CHECK (one = 1),
  token_hash BLOB NOT NULL CHECK (length(token_hash) = 32),
  created_at TEXT NOT NULL
) STRICT;
