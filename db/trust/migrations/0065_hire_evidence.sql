-- Which evidence delivers a hire: evidence that is younger than the hire, and by `delivery` only what the worker itself sends.

-- any: evidence with the service token delivers too. worker: only a delivery that the worker signed for these terms.
ALTER TABLE escrow ADD COLUMN delivery TEXT NOT NULL DEFAULT 'any' CHECK (length(delivery) BETWEEN 1 AND 32);
-- The newest evidence_seq of all agents when the credits were locked: older evidence does not deliver. Null for hires from before this
-- migration: of them, evidence does not deliver that was anchored before created_at.
ALTER TABLE escrow ADD COLUMN evidence_before INTEGER CHECK (evidence_before >= 0);
-- Who sent the evidence that delivered: the worker itself, or the holder of the service token.
ALTER TABLE escrow ADD COLUMN attested_by TEXT CHECK (length(attested_by) BETWEEN 1 AND 32);

DROP TRIGGER escrow_moves_forward;
UPDATE escrow SET attested_by = 'service' WHERE deliverable_digest IS NOT NULL;

CREATE TRIGGER escrow_moves_forward BEFORE UPDATE ON escrow
WHEN NOT (
    (OLD.status = 'HELD' AND NEW.status IN ('HELD', 'DELIVERED', 'CANCELLED', 'EXPIRED'))
    OR (OLD.status = 'DELIVERED' AND NEW.status IN ('DELIVERED', 'PAID', 'CANCELLED'))
  )
  OR NEW.escrow_seq <> OLD.escrow_seq OR NEW.task_id <> OLD.task_id OR NEW.purpose <> OLD.purpose
  OR NEW.hirer_seq <> OLD.hirer_seq OR NEW.worker_seq <> OLD.worker_seq OR NEW.amount <> OLD.amount
  OR NEW.promotional <> OLD.promotional OR NEW.paid <> OLD.paid OR NEW.sandbox <> OLD.sandbox
  OR NEW.description IS NOT OLD.description OR NEW.input_digest <> OLD.input_digest
  OR NEW.deadline IS NOT OLD.deadline OR NEW.created_at <> OLD.created_at
  OR NEW.lock_transaction_id <> OLD.lock_transaction_id
  OR NEW.delivery <> OLD.delivery OR NEW.evidence_before IS NOT OLD.evidence_before
  -- Only the step from HELD to DELIVERED names evidence.
  OR ((NEW.deliverable_digest IS NOT OLD.deliverable_digest OR NEW.evidence_event_hash IS NOT OLD.evidence_event_hash
      OR NEW.attested_by IS NOT OLD.attested_by)
    AND NOT (OLD.status = 'HELD' AND NEW.status = 'DELIVERED'))
  OR (OLD.accept_by IS NOT NULL AND NEW.accept_by IS NOT OLD.accept_by)
BEGIN SELECT RAISE(ABORT, 'escrow only moves forward'); END;
