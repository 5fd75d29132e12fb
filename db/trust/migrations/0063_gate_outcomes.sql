-- What the gate decides by, in an order that the operator can neither choose nor erase: a breach counts from its finalization and
-- stays when its receipt is revoked, every other receipt counts from its issue. Abandoned receipts count too.

CREATE TABLE gate_outcome (
  operator_seq INTEGER NOT NULL REFERENCES operator (operator_seq),
  domain       TEXT NOT NULL,
  blind        INTEGER NOT NULL CHECK (blind IN (0, 1)),
  -- 1 for a receipt that was revoked while it was pending. One that is pending for too long is in receipt_lapsing.
  abandoned    INTEGER NOT NULL CHECK (abandoned IN (0, 1)),
  -- Milliseconds since 1970: the finalization of a breach, the issue of another receipt, or since when it is abandoned.
  counted_at   INTEGER NOT NULL,
  receipt_seq  INTEGER NOT NULL REFERENCES receipt (receipt_seq),
  -- 1 for an SLA breach.
  breach       INTEGER NOT NULL CHECK (breach IN (0, 1)),
  PRIMARY KEY (operator_seq, domain, blind, abandoned, counted_at, receipt_seq),
  CHECK (NOT (abandoned AND breach))
) STRICT, WITHOUT ROWID;

INSERT INTO gate_outcome
SELECT r.operator_seq, r.domain, r.domain_commitment IS NOT NULL, r.status = 'pending',
  CASE WHEN r.status = 'pending' THEN min(
      CAST(round(unixepoch(v.signed_at, 'subsec') * 1000) AS INTEGER),
      CAST(round(unixepoch(r.issued_at, 'subsec') * 1000) AS INTEGER) + 2592000000,
      coalesce(CAST(round(unixepoch(r.expiry, 'subsec') * 1000) AS INTEGER), 9007199254740991))
    ELSE CAST(round(unixepoch(iif(v.error_tranche = 'SLA_BREACH', v.signed_at, r.issued_at), 'subsec') * 1000) AS INTEGER) END,
  r.receipt_seq, coalesce(v.error_tranche = 'SLA_BREACH', 0)
FROM receipt r JOIN receipt_version v ON v.receipt_seq = r.receipt_seq
  AND v.version = iif(r.revocation_status = 'revoked' AND r.status <> 'pending', r.version - 1, r.version)
WHERE iif(r.status = 'pending', r.revocation_status = 'revoked', r.revocation_status = 'active' OR r.status <> 'success')
  AND NOT EXISTS (SELECT 1 FROM service_receipt s WHERE s.receipt_seq = r.receipt_seq)
ORDER BY 1, 2, 3, 4, 5, 6;

DROP TABLE gate_finalization;

CREATE TRIGGER gate_outcome_is_final BEFORE UPDATE ON gate_outcome
BEGIN SELECT RAISE(ABORT, 'what the gate counts never changes'); END;
CREATE TRIGGER gate_outcome_stays BEFORE DELETE ON gate_outcome
WHEN NOT EXISTS (SELECT 1 FROM receipt WHERE receipt_seq = OLD.receipt_seq AND revocation_status = 'revoked' AND status = 'success')
BEGIN SELECT RAISE(ABORT, 'a revocation takes nothing but a success out of the counts of the gate'); END;

-- Since when a receipt is abandoned that nobody finalizes: 30 days after its issue, or past its expiry. Queries must use the very same
-- expression.
CREATE INDEX receipt_lapsing ON receipt (operator_seq, domain, (domain_commitment IS NOT NULL), (min(
    CAST(round(unixepoch(issued_at, 'subsec') * 1000) AS INTEGER) + 2592000000,
    coalesce(CAST(round(unixepoch(expiry, 'subsec') * 1000) AS INTEGER), 9007199254740991))))
  WHERE status = 'pending' AND revocation_status = 'active';
