-- What the gate decides by: every finalized receipt that is not revoked.

CREATE TABLE gate_finalization (
  operator_seq INTEGER NOT NULL REFERENCES operator (operator_seq),
  domain       TEXT NOT NULL,
  blind        INTEGER NOT NULL CHECK (blind IN (0, 1)),
  -- Milliseconds since 1970.
  finalized_at INTEGER NOT NULL,
  receipt_seq  INTEGER NOT NULL REFERENCES receipt (receipt_seq),
  -- 1 for an SLA breach.
  breach       INTEGER NOT NULL CHECK (breach IN (0, 1)),
  PRIMARY KEY (operator_seq, domain, blind, finalized_at, receipt_seq)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER gate_finalization_is_final BEFORE UPDATE ON gate_finalization
BEGIN SELECT RAISE(ABORT, 'finalizations never change'); END;
CREATE TRIGGER gate_finalization_stays BEFORE DELETE ON gate_finalization
WHEN EXISTS (SELECT 1 FROM receipt WHERE receipt_seq = OLD.receipt_seq AND revocation_status = 'active')
BEGIN SELECT RAISE(ABORT, 'finalizations count until the receipt is revoked'); END;
