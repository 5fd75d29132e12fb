-- The public halves of the signing keys. The private halves are files in keys/.

CREATE TABLE signing_key (
  key_seq            INTEGER PRIMARY KEY,
  kid                TEXT NOT NULL UNIQUE,
  purpose            TEXT NOT NULL CHECK (length(purpose) BETWEEN 1 AND 32),
  algorithm          TEXT NOT NULL CHECK (length(algorithm) BETWEEN 1 AND 32),
  public_key         BLOB NOT NULL,
  status             TEXT NOT NULL CHECK (status IN ('next', 'active', 'retired', 'compromised')),
  valid_from         TEXT NOT NULL,
  valid_until        TEXT,
  -- The size of the receipts log when the key ended: what the key signed counts only below this size.
  receipts_tree_size INTEGER CHECK (receipts_tree_size >= 0),
  CHECK (algorithm <> 'Ed25519' OR length(public_key) = 32)
) STRICT;
CREATE UNIQUE INDEX signing_key_active ON signing_key (purpose, algorithm) WHERE status = 'active';
CREATE UNIQUE INDEX signing_key_next ON signing_key (purpose, algorithm) WHERE status = 'next';

CREATE TRIGGER signing_key_moves_forward BEFORE UPDATE ON signing_key
WHEN NEW.key_seq <> OLD.key_seq OR NEW.kid <> OLD.kid OR NEW.purpose <> OLD.purpose
  OR NEW.algorithm <> OLD.algorithm OR NEW.public_key <> OLD.public_key
  OR (OLD.status, NEW.status) NOT IN (VALUES ('next', 'next'), ('next', 'active'), ('next', 'compromised'), ('active', 'active'),
    ('active', 'retired'), ('active', 'compromised'), ('retired', 'retired'), ('retired', 'compromised'))
BEGIN SELECT RAISE(ABORT, 'a key only moves forward'); END;
CREATE TRIGGER signing_key_stays BEFORE DELETE ON signing_key
BEGIN SELECT RAISE(ABORT, 'keys are never deleted'); END;
