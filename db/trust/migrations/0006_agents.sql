-- Agents that proved possession of their keys, the challenges for that proof, and what agents signed about themselves.

CREATE TABLE agent (
  agent_seq          INTEGER PRIMARY KEY,
  subject_commitment BLOB NOT NULL UNIQUE CHECK (length(subject_commitment) = 32),
  public_key         BLOB NOT NULL CHECK (length(public_key) = 32),
  context            TEXT NOT NULL CHECK (length(context) BETWEEN 1 AND 128),
  name               TEXT CHECK (length(name) BETWEEN 1 AND 256),
  passport_id        BLOB NOT NULL UNIQUE CHECK (length(passport_id) = 16),
  state              TEXT NOT NULL CHECK (state IN ('ISSUED', 'REVOKED')),
  -- Null: managed with admin keys.
  sponsor_seq        INTEGER REFERENCES operator (operator_seq),
  issued_at          TEXT NOT NULL,
  revoked_at         TEXT,
  revocation_reason  TEXT CHECK (length(revocation_reason) BETWEEN 1 AND 1024),
  CHECK ((state = 'REVOKED') = (revoked_at IS NOT NULL)),
  CHECK (revocation_reason IS NULL OR state = 'REVOKED')
) STRICT;
CREATE INDEX agent_by_sponsor ON agent (sponsor_seq) WHERE sponsor_seq IS NOT NULL;

CREATE TRIGGER agent_moves_forward BEFORE UPDATE ON agent
WHEN NEW.agent_seq <> OLD.agent_seq OR NEW.subject_commitment <> OLD.subject_commitment
  OR NEW.public_key <> OLD.public_key OR NEW.context <> OLD.context OR NEW.passport_id <> OLD.passport_id
  OR NEW.issued_at <> OLD.issued_at
  OR (OLD.state = 'REVOKED' AND (NEW.state <> 'REVOKED' OR NEW.revoked_at <> OLD.revoked_at
    OR NEW.revocation_reason IS NOT OLD.revocation_reason))
BEGIN SELECT RAISE(ABORT, 'an enrollment only moves forward'); END;
CREATE TRIGGER agent_stays BEFORE DELETE ON agent
BEGIN SELECT RAISE(ABORT, 'agents are never deleted'); END;
-- An agent may change its name while it is enrolled.
CREATE TRIGGER agent_name_is_final BEFORE UPDATE OF name ON agent
WHEN OLD.state = 'REVOKED' AND NEW.name IS NOT OLD.name
BEGIN SELECT RAISE(ABORT, 'the name of a revoked agent does not change'); END;

-- A challenge is consumed once. It stays for a while after its end, so that a proof that comes late or twice is told so.
CREATE TABLE challenge (
  challenge_seq      INTEGER PRIMARY KEY,
  purpose            TEXT NOT NULL CHECK (length(purpose) BETWEEN 1 AND 32),
  nonce              TEXT NOT NULL UNIQUE CHECK (nonce GLOB 'chal_*' AND length(nonce) <= 1024),
  -- SHA-256 of who asked: an API key, or an address.
  caller             BLOB NOT NULL CHECK (length(caller) = 32),
  public_key         BLOB NOT NULL CHECK (length(public_key) = 32),
  -- Of a challenge with proof of work they come with its proof.
  subject_commitment BLOB CHECK (length(subject_commitment) = 32),
  context            TEXT CHECK (length(context) BETWEEN 1 AND 128),
  name               TEXT CHECK (length(name) BETWEEN 1 AND 256),
  sponsor_seq        INTEGER REFERENCES operator (operator_seq),
  -- The key that the sponsor started with. The challenge is valid as long as that key exists.
  key_hash           BLOB CHECK ((key_hash IS NULL) = (sponsor_seq IS NULL) AND coalesce(length(key_hash), 32) = 32),
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
  OR NEW.name IS NOT OLD.name OR NEW.sponsor_seq IS NOT OLD.sponsor_seq OR NEW.key_hash IS NOT OLD.key_hash
  OR NEW.pow_difficulty IS NOT OLD.pow_difficulty
  OR NEW.created_at <> OLD.created_at OR NEW.expires_at <> OLD.expires_at
BEGIN SELECT RAISE(ABORT, 'a challenge is consumed once and changes in nothing else'); END;

-- Every photo reference that an agent ever signed, a cleared one with nulls. The newest is the valid one.
CREATE TABLE presentation (
  presentation_seq INTEGER PRIMARY KEY,
  agent_seq        INTEGER NOT NULL REFERENCES agent (agent_seq),
  photo_url        TEXT CHECK (length(photo_url) BETWEEN 1 AND 2048),
  photo_sha256     BLOB CHECK (length(photo_sha256) = 32),
  photo_mime_type  TEXT CHECK (length(photo_mime_type) BETWEEN 1 AND 64),
  signature        BLOB NOT NULL CHECK (length(signature) = 64),
  -- What the signature is over.
  reading          TEXT NOT NULL CHECK (length(reading) BETWEEN 1 AND 32),
  created_at       TEXT NOT NULL,
  CHECK ((photo_url IS NULL) = (photo_sha256 IS NULL) AND (photo_url IS NULL) = (photo_mime_type IS NULL))
) STRICT;
CREATE INDEX presentation_by_agent ON presentation (agent_seq);

CREATE TRIGGER presentation_is_final BEFORE UPDATE ON presentation
BEGIN SELECT RAISE(ABORT, 'presentations never change'); END;
CREATE TRIGGER presentation_stays BEFORE DELETE ON presentation
BEGIN SELECT RAISE(ABORT, 'presentations are never deleted'); END;

-- An authorization of an agent is valid once. Its nonce is stored until it would have expired.
CREATE TABLE agent_nonce (
  agent_seq  INTEGER NOT NULL REFERENCES agent (agent_seq),
  nonce      TEXT NOT NULL CHECK (length(nonce) BETWEEN 16 AND 64),
  expires_at TEXT NOT NULL,
  PRIMARY KEY (agent_seq, nonce)
) STRICT, WITHOUT ROWID;
CREATE INDEX agent_nonce_by_expiry ON agent_nonce (expires_at);
