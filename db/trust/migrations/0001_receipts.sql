-- Who may call, and what was signed. Rows are bytes and integers where text would only be longer.

CREATE TABLE operator (
  operator_seq   INTEGER PRIMARY KEY,
  operator_id    TEXT NOT NULL UNIQUE CHECK (operator_id GLOB 'op_cus_*' AND length(operator_id) = 31),
  account_status TEXT NOT NULL CHECK (account_status IN ('ACTIVE', 'SUSPENDED', 'CLOSED')),
  created_at     TEXT NOT NULL
) STRICT;

CREATE TABLE api_key (
  key_hash     BLOB NOT NULL PRIMARY KEY CHECK (length(key_hash) = 32),
  operator_seq INTEGER NOT NULL REFERENCES operator (operator_seq),
  role         TEXT NOT NULL CHECK (role IN ('issuer', 'holder')),
  admin        INTEGER NOT NULL CHECK (admin IN (0, 1)),
  name         TEXT,
  created_at   TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The token of the service itself, one row; a later start with another configured token replaces it.
CREATE TABLE service_token (
  one        INTEGER PRIMARY KEY CHECK (one = 1),
  token_hash BLOB NOT NULL CHECK (length(token_hash) = 32),
  created_at TEXT NOT NULL
) STRICT;

CREATE TABLE signing_key (
  key_seq     INTEGER PRIMARY KEY,
  kid         TEXT NOT NULL UNIQUE,
  purpose     TEXT NOT NULL CHECK (purpose IN ('receipts', 'log', 'credentials')),
  algorithm   TEXT NOT NULL CHECK (algorithm IN ('Ed25519', 'ML-DSA-44')),
  public_key  BLOB NOT NULL,
  status      TEXT NOT NULL CHECK (status IN ('next', 'active', 'retired', 'compromised')),
  valid_from  TEXT NOT NULL,
  valid_until TEXT,
  CHECK (algorithm <> 'Ed25519' OR length(public_key) = 32)
) STRICT;

CREATE UNIQUE INDEX signing_key_active ON signing_key (purpose, algorithm) WHERE status = 'active';

-- What was said when a receipt was issued, which never changes, and where its state stands now.
CREATE TABLE receipt (
  receipt_seq       INTEGER PRIMARY KEY,
  receipt_id        BLOB NOT NULL UNIQUE CHECK (length(receipt_id) = 16),
  operator_seq      INTEGER NOT NULL REFERENCES operator (operator_seq),
  agent_id          TEXT NOT NULL CHECK (length(agent_id) BETWEEN 1 AND 256),
  receipt_type      TEXT NOT NULL CHECK (receipt_type IN ('custody', 'competence')),
  input_digest      BLOB NOT NULL CHECK (length(input_digest) = 32),
  authority_scope   TEXT NOT NULL CHECK (length(authority_scope) BETWEEN 1 AND 256),
  expiry            TEXT NOT NULL,
  issued_at         TEXT NOT NULL,
  domain            TEXT NOT NULL
    CHECK (domain IN ('FINANCIAL_CLEARING', 'CUSTOMER_SUPPORT', 'CODE_GENERATION', 'SYSTEM_INTEGRATION')),
  domain_commitment BLOB CHECK (length(domain_commitment) = 32),
  blind_salt        BLOB CHECK (length(blind_salt) = 32),
  prev_receipt_hash BLOB CHECK (length(prev_receipt_hash) = 32),
  prev_receipt_seq  INTEGER REFERENCES receipt (receipt_seq),
  chain_depth       INTEGER NOT NULL CHECK (chain_depth >= 0),
  status            TEXT NOT NULL CHECK (status IN ('pending', 'success', 'refusal', 'null', 'terminal',
    'graceful_shutdown', 'timeout', 'failure_tombstone')),
  revocation_status TEXT NOT NULL CHECK (revocation_status IN ('active', 'revoked')),
  version           INTEGER NOT NULL CHECK (version BETWEEN 1 AND 3),
  CHECK ((domain_commitment IS NULL) = (blind_salt IS NULL)),
  CHECK ((prev_receipt_hash IS NULL) = (prev_receipt_seq IS NULL))
) STRICT;

CREATE INDEX receipt_by_operator ON receipt (operator_seq, issued_at, receipt_seq);
CREATE INDEX receipt_by_agent ON receipt (operator_seq, agent_id, issued_at, receipt_seq);
CREATE INDEX receipt_by_predecessor ON receipt (prev_receipt_seq) WHERE prev_receipt_seq IS NOT NULL;

-- Issued, then finalized, then revoked: each state is reached once, and what was issued stays what it was.
CREATE TRIGGER receipt_moves_forward BEFORE UPDATE ON receipt
WHEN NEW.version <> OLD.version + 1
  OR (OLD.status <> 'pending' AND NEW.status <> OLD.status)
  OR OLD.revocation_status = 'revoked'
  OR NEW.receipt_seq <> OLD.receipt_seq OR NEW.receipt_id <> OLD.receipt_id
  OR NEW.operator_seq <> OLD.operator_seq OR NEW.agent_id <> OLD.agent_id
  OR NEW.receipt_type <> OLD.receipt_type OR NEW.input_digest <> OLD.input_digest
  OR NEW.authority_scope <> OLD.authority_scope OR NEW.expiry <> OLD.expiry
  OR NEW.issued_at <> OLD.issued_at OR NEW.domain <> OLD.domain
  OR NEW.domain_commitment IS NOT OLD.domain_commitment OR NEW.blind_salt IS NOT OLD.blind_salt
  OR NEW.prev_receipt_hash IS NOT OLD.prev_receipt_hash
  OR NEW.prev_receipt_seq IS NOT OLD.prev_receipt_seq OR NEW.chain_depth <> OLD.chain_depth
BEGIN SELECT RAISE(ABORT, 'a receipt only moves forward'); END;

CREATE TRIGGER receipt_stays BEFORE DELETE ON receipt
BEGIN SELECT RAISE(ABORT, 'receipts are never deleted'); END;

-- Every version of a receipt that was ever signed, with all that was signed in it beyond the receipt's own row.
CREATE TABLE receipt_version (
  receipt_seq       INTEGER NOT NULL REFERENCES receipt (receipt_seq),
  version           INTEGER NOT NULL CHECK (version BETWEEN 1 AND 3),
  status            TEXT NOT NULL,
  revocation_status TEXT NOT NULL,
  output_hash       BLOB CHECK (length(output_hash) = 32),
  reason            TEXT CHECK (length(reason) BETWEEN 1 AND 1024),
  error_tranche     TEXT CHECK (error_tranche IN ('DATA_LEAKAGE', 'COMPUTE_TIMEOUT', 'LOGIC_DETECTION',
    'SLA_BREACH', 'NONE')),
  revocation_reason TEXT CHECK (length(revocation_reason) BETWEEN 1 AND 1024),
  content_hash      BLOB NOT NULL CHECK (length(content_hash) = 32),
  hash_prefix       INTEGER NOT NULL,
  signature         BLOB NOT NULL CHECK (length(signature) = 64),
  key_seq           INTEGER NOT NULL REFERENCES signing_key (key_seq),
  signed_at         TEXT NOT NULL,
  PRIMARY KEY (receipt_seq, version),
  CHECK ((status = 'success') = (output_hash IS NOT NULL)),
  CHECK ((status IN ('pending', 'success')) = (reason IS NULL)),
  CHECK ((status = 'pending') = (error_tranche IS NULL))
) STRICT, WITHOUT ROWID;

-- Finds a chain's predecessor. 48 bits of the hash keep the index small; the full hash is compared after.
CREATE INDEX receipt_version_by_hash ON receipt_version (hash_prefix);

CREATE TRIGGER receipt_version_stays BEFORE DELETE ON receipt_version
BEGIN SELECT RAISE(ABORT, 'signed versions are never deleted'); END;
CREATE TRIGGER receipt_version_is_final BEFORE UPDATE ON receipt_version
BEGIN SELECT RAISE(ABORT, 'signed versions never change'); END;
