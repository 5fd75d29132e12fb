-- Receipts, every signed version of them, and how many are in which state. Values are bytes and integers where text would only
-- be longer. Every index is either written in order, or within a small part that is written again and again; and every filter
-- of a list is a prefix of some index. So issuing and listing are as fast with many receipts as with few.

-- What was stated when a receipt was issued, which never changes, and its present state.
CREATE TABLE receipt (
  receipt_seq       INTEGER PRIMARY KEY,
  receipt_id        BLOB NOT NULL UNIQUE CHECK (length(receipt_id) = 16),
  operator_seq      INTEGER NOT NULL REFERENCES operator (operator_seq),
  agent_id          TEXT NOT NULL CHECK (length(agent_id) BETWEEN 1 AND 256),
  receipt_type      TEXT NOT NULL CHECK (length(receipt_type) BETWEEN 1 AND 64),
  input_digest      BLOB NOT NULL CHECK (length(input_digest) = 32),
  authority_scope   TEXT NOT NULL CHECK (length(authority_scope) BETWEEN 1 AND 256),
  expiry            TEXT NOT NULL,
  issued_at         TEXT NOT NULL,
  domain            TEXT NOT NULL CHECK (length(domain) BETWEEN 1 AND 64),
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

CREATE INDEX receipt_by_predecessor ON receipt (prev_receipt_seq) WHERE prev_receipt_seq IS NOT NULL;
-- Every index ends in the rowid, which is receipt_seq: to name it would store it twice.
CREATE INDEX receipt_by_operator ON receipt (operator_seq, issued_at);
-- For lists with filters. A query that does not name a status or a domain merges the ranges of all their values.
CREATE INDEX receipt_by_outcome ON receipt (operator_seq, status, domain, issued_at);
-- A holder key's filter by domain leaves out blind receipts, and a page of it must not cost more because there are many of
-- them: each range of the index has either the blind ones or the others. Queries must use the very same expression.
CREATE INDEX receipt_by_agent
  ON receipt (operator_seq, agent_id, status, domain, (domain_commitment IS NOT NULL), issued_at);

-- A receipt is issued, then finalized, then revoked. It reaches each state once, and what was issued does not change.
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

-- Every version of a receipt that was ever signed, with what was signed in it beyond the receipt's own row.
CREATE TABLE receipt_version (
  receipt_seq       INTEGER NOT NULL REFERENCES receipt (receipt_seq),
  version           INTEGER NOT NULL CHECK (version BETWEEN 1 AND 3),
  status            TEXT NOT NULL,
  revocation_status TEXT NOT NULL,
  output_hash       BLOB CHECK (length(output_hash) = 32),
  reason            TEXT CHECK (length(reason) BETWEEN 1 AND 1024),
  error_tranche     TEXT CHECK (length(error_tranche) BETWEEN 1 AND 64),
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

-- Finds the predecessor in a chain. 48 bits of the hash keep the index small; the full hash is compared after. Hashes are random,
-- so an index on them alone would be written all over. In windows of 4,096 receipts the part that is being written stays
-- small; a search asks window after window, the newest first. Queries must use the very same expression.
CREATE INDEX receipt_version_by_hash ON receipt_version (receipt_seq >> 12, hash_prefix);

CREATE TRIGGER receipt_version_stays BEFORE DELETE ON receipt_version
BEGIN SELECT RAISE(ABORT, 'signed versions are never deleted'); END;
CREATE TRIGGER receipt_version_is_final BEFORE UPDATE ON receipt_version
BEGIN SELECT RAISE(ABORT, 'signed versions never change'); END;

-- How many receipts are in which state: counted as they change, never scanned.
CREATE TABLE receipt_count (
  operator_seq      INTEGER NOT NULL REFERENCES operator (operator_seq),
  status            TEXT NOT NULL,
  revocation_status TEXT NOT NULL,
  receipts          INTEGER NOT NULL CHECK (receipts >= 0),
  PRIMARY KEY (operator_seq, status, revocation_status)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER receipt_is_counted AFTER INSERT ON receipt
BEGIN
  INSERT INTO receipt_count VALUES (NEW.operator_seq, NEW.status, NEW.revocation_status, 1)
  ON CONFLICT DO UPDATE SET receipts = receipts + 1;
END;
CREATE TRIGGER receipt_is_counted_anew AFTER UPDATE OF status, revocation_status ON receipt
BEGIN
  UPDATE receipt_count SET receipts = receipts - 1
  WHERE operator_seq = OLD.operator_seq AND status = OLD.status AND revocation_status = OLD.revocation_status;
  INSERT INTO receipt_count VALUES (NEW.operator_seq, NEW.status, NEW.revocation_status, 1)
  ON CONFLICT DO UPDATE SET receipts = receipts + 1;
END;
