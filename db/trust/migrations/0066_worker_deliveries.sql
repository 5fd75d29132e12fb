-- What the worker itself delivers: it may name an arbiter, which decides a dispute once it consented.

-- Only a delivery that the worker signed names one.
ALTER TABLE escrow ADD COLUMN arbiter_seq INTEGER REFERENCES agent (agent_seq)
  CHECK (arbiter_seq IS NULL OR (attested_by IS 'worker' AND arbiter_seq <> hirer_seq AND arbiter_seq <> worker_seq));

CREATE TRIGGER escrow_keeps_its_arbiter BEFORE UPDATE OF arbiter_seq ON escrow
WHEN NEW.arbiter_seq IS NOT OLD.arbiter_seq AND NOT (OLD.status = 'HELD' AND NEW.status = 'DELIVERED')
BEGIN SELECT RAISE(ABORT, 'only a delivery names an arbiter'); END;

-- The signatures by which arbiters consented, over the digest of {task_id, terms_digest, type: "arbiter-consent"}.
CREATE TABLE arbiter_consent (
  escrow_seq   INTEGER PRIMARY KEY REFERENCES escrow (escrow_seq),
  signature    BLOB NOT NULL CHECK (length(signature) = 64),
  -- Milliseconds since 1970.
  consented_at INTEGER NOT NULL CHECK (consented_at >= 0)
) STRICT;

CREATE TRIGGER arbiter_consent_is_of_an_arbiter BEFORE INSERT ON arbiter_consent
WHEN NOT EXISTS (SELECT 1 FROM escrow WHERE escrow_seq = NEW.escrow_seq AND arbiter_seq IS NOT NULL)
BEGIN SELECT RAISE(ABORT, 'only an arbiter consents'); END;
CREATE TRIGGER arbiter_consent_is_final BEFORE UPDATE ON arbiter_consent
BEGIN SELECT RAISE(ABORT, 'consents never change'); END;
CREATE TRIGGER arbiter_consent_stays BEFORE DELETE ON arbiter_consent
BEGIN SELECT RAISE(ABORT, 'consents are never deleted'); END;
