-- Challenges that name what they are for and where, a limit for each who asks, and holder keys that agents ask for.

-- A challenge is consumed once. It stays a while after its end, so that whoever comes late or twice is told so. Those that wait
-- while this runs would have ended within five minutes: their agents start anew.
DROP TABLE challenge;
CREATE TABLE challenge (
  challenge_seq      INTEGER PRIMARY KEY,
  -- `enroll` and `autonomous` so far.
  purpose            TEXT NOT NULL CHECK (length(purpose) BETWEEN 1 AND 32),
  nonce              TEXT NOT NULL UNIQUE CHECK (nonce GLOB 'chal_*' AND length(nonce) <= 1024),
  -- SHA-256 of who asked: an API key, or an address.
  caller             BLOB NOT NULL CHECK (length(caller) = 32),
  public_key         BLOB NOT NULL CHECK (length(public_key) = 32),
  -- Of an autonomous challenge they come with its proof.
  subject_commitment BLOB CHECK (length(subject_commitment) = 32),
  context            TEXT CHECK (length(context) BETWEEN 1 AND 128),
  name               TEXT CHECK (length(name) BETWEEN 1 AND 256),
  sponsor_seq        INTEGER REFERENCES operator (operator_seq),
  -- Leading zero hexadecimal digits.
  pow_difficulty     INTEGER CHECK (pow_difficulty BETWEEN 0 AND 64),
  created_at         TEXT NOT NULL,
  expires_at         TEXT NOT NULL,
  consumed_at        TEXT,
  CHECK ((subject_commitment IS NULL) = (context IS NULL)),
  CHECK ((subject_commitment IS NULL) = (pow_difficulty IS NOT NULL))
) STRICT;
CREATE INDEX challenge_by_caller ON challenge (caller, subject_commitment, public_key);
CREATE INDEX challenge_by_commitment ON challenge (subject_commitment, expires_at) WHERE subject_commitment IS NOT NULL;
CREATE INDEX challenge_consumed ON challenge (subject_commitment, consumed_at) WHERE consumed_at IS NOT NULL;
CREATE INDEX challenge_by_expiry ON challenge (expires_at);

CREATE TRIGGER challenge_is_consumed_once BEFORE UPDATE ON challenge
WHEN OLD.consumed_at IS NOT NULL OR NEW.consumed_at IS NULL
  OR NEW.challenge_seq <> OLD.challenge_seq OR NEW.purpose <> OLD.purpose OR NEW.nonce <> OLD.nonce
  OR NEW.caller <> OLD.caller OR NEW.public_key <> OLD.public_key
  OR NEW.subject_commitment IS NOT OLD.subject_commitment OR NEW.context IS NOT OLD.context
  OR NEW.name IS NOT OLD.name OR NEW.sponsor_seq IS NOT OLD.sponsor_seq
  OR NEW.pow_difficulty IS NOT OLD.pow_difficulty
  OR NEW.created_at <> OLD.created_at OR NEW.expires_at <> OLD.expires_at
BEGIN SELECT RAISE(ABORT, 'a challenge is consumed once and changes in nothing else'); END;

-- An agent may change its name while it is enrolled.
CREATE TRIGGER agent_name_is_final BEFORE UPDATE OF name ON agent
WHEN OLD.state = 'REVOKED' AND NEW.name IS NOT OLD.name
BEGIN SELECT RAISE(ABORT, 'the name of a revoked agent does not change'); END;

-- The holder keys of one agent are counted and replaced.
CREATE INDEX api_key_by_agent ON api_key (subject_commitment, operator_seq) WHERE subject_commitment IS NOT NULL;

-- Sessions are for people who look after an operator.
DELETE FROM session WHERE key_hash IN (SELECT key_hash FROM api_key WHERE role = 'holder');
CREATE TRIGGER session_stands_for_an_issuer BEFORE INSERT ON session
WHEN (SELECT role FROM api_key WHERE key_hash = NEW.key_hash) = 'holder'
BEGIN SELECT RAISE(ABORT, 'a holder key opens no session'); END;
