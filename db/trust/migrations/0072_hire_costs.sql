-- Hires and acceptances cost less, by the same rules. SQLite makes a table of its own for each list of three or more values, again for each
-- row, so conditions that every hire evaluates compare one value after the other.

CREATE TABLE new_escrow (
  escrow_seq              INTEGER PRIMARY KEY,
  -- The clients' name of the task. It is unique in the installation.
  task_id                 TEXT NOT NULL UNIQUE CHECK (length(task_id) BETWEEN 1 AND 128),
  -- Which protocol made it: engagement, acp, a2a.
  purpose                 TEXT NOT NULL CHECK (length(purpose) BETWEEN 1 AND 32),
  hirer_seq               INTEGER NOT NULL REFERENCES agent (agent_seq),
  worker_seq              INTEGER NOT NULL REFERENCES agent (agent_seq),
  amount                  INTEGER NOT NULL CHECK (amount BETWEEN 1 AND 9007199254740991),
  -- The classes of the locked credits. They end in the classes that they came from.
  promotional             INTEGER NOT NULL CHECK (promotional >= 0),
  paid                    INTEGER NOT NULL CHECK (paid >= 0),
  sandbox                 INTEGER NOT NULL CHECK (sandbox >= 0),
  description             TEXT CHECK (length(description) BETWEEN 1 AND 4096),
  -- The digest of the request, else of the terms.
  input_digest            BLOB NOT NULL CHECK (length(input_digest) = 32),
  -- When a task that is not delivered expires; null for never.
  deadline                INTEGER CHECK (deadline >= 0),
  created_at              INTEGER NOT NULL CHECK (created_at >= 0),
  -- The LOCK of the credits.
  lock_transaction_id     BLOB NOT NULL CHECK (length(lock_transaction_id) = 16),
  status                  TEXT NOT NULL
    CHECK (status = 'HELD' OR status = 'DELIVERED' OR status = 'PAID' OR status = 'DISPUTED' OR status = 'CANCELLED'
      OR status = 'EXPIRED' OR status = 'DECLINED' OR status = 'RESOLVED'),
  updated_at              INTEGER NOT NULL CHECK (updated_at >= 0),
  -- The evidence of the worker that delivered.
  deliverable_digest      BLOB CHECK (length(deliverable_digest) = 32),
  evidence_event_hash     BLOB CHECK (length(evidence_event_hash) = 32),
  -- When a delivered task is paid without an acceptance. Null after a delivery while the clock was known to be wrong, until it is right.
  accept_by               INTEGER CHECK (accept_by >= 0),
  -- The newest evidence of the worker that says that the task failed.
  last_failure_event_hash BLOB CHECK (length(last_failure_event_hash) = 32),
  -- Who ended it: the hirer, the worker, the arbiter, an administrator, or the service itself.
  ended_by                TEXT CHECK (length(ended_by) BETWEEN 1 AND 32),
  -- The ESCROW_RELEASE of a task that was paid, also in part; else the UNLOCK.
  end_transaction_id      BLOB CHECK (length(end_transaction_id) = 16),
  receipt_seq             INTEGER REFERENCES receipt (receipt_seq),
  paid_at                 INTEGER CHECK (paid_at >= 0),
  -- What the hirer had stood still when its present status began.
  still_mark              INTEGER NOT NULL DEFAULT 0,
  -- By how much deadline, accept_by and dispute_until moved in statuses that have ended.
  deadline_moved_ms       INTEGER NOT NULL DEFAULT 0 CHECK (deadline_moved_ms >= 0),
  accept_moved_ms         INTEGER NOT NULL DEFAULT 0 CHECK (accept_moved_ms >= 0),
  dispute_moved_ms        INTEGER NOT NULL DEFAULT 0 CHECK (dispute_moved_ms >= 0),
  -- When the scheduler looks at it again. Null while it stands still and time would have ended it.
  due_at                  INTEGER,
  -- any: evidence with the service token delivers too. worker: only a delivery that the worker signed for these terms.
  delivery                TEXT NOT NULL DEFAULT 'any' CHECK (length(delivery) BETWEEN 1 AND 32),
  -- The newest evidence_seq of all agents when the credits were locked: older evidence does not deliver. Null for hires from before this
  -- was stored: of them, evidence does not deliver that was anchored before created_at.
  evidence_before         INTEGER CHECK (evidence_before >= 0),
  -- Who sent the evidence that delivered: the worker itself, or the holder of the service token.
  attested_by             TEXT CHECK (length(attested_by) BETWEEN 1 AND 32),
  -- Only a delivery that the worker signed names one.
  arbiter_seq             INTEGER REFERENCES agent (agent_seq),
  -- When and why the hirer disputed the delivery, and when the dispute ends without a decision. The latter is null after a dispute while
  -- the clock was known to be wrong, until it is right.
  disputed_at             INTEGER CHECK (disputed_at >= 0),
  dispute_reason          TEXT CHECK (length(dispute_reason) BETWEEN 1 AND 1024),
  dispute_until           INTEGER CHECK (dispute_until >= 0),
  -- What a decision gave the worker, and why. The rest returned with a second transaction, an UNLOCK.
  worker_amount           INTEGER CHECK (worker_amount BETWEEN 0 AND amount),
  resolution_note         TEXT CHECK (length(resolution_note) BETWEEN 1 AND 1024),
  return_transaction_id   BLOB CHECK (length(return_transaction_id) = 16),
  CHECK (hirer_seq <> worker_seq),
  CHECK (promotional + paid + sandbox = amount),
  -- Sandbox credits are never mixed with others.
  CHECK (sandbox = 0 OR promotional + paid = 0),
  CHECK ((deliverable_digest IS NULL) = (evidence_event_hash IS NULL)),
  CHECK ((deliverable_digest IS NULL) = (attested_by IS NULL)),
  CHECK (accept_by IS NULL OR deliverable_digest IS NOT NULL),
  CHECK (deliverable_digest IS NULL OR NOT (status = 'HELD' OR status = 'EXPIRED' OR status = 'DECLINED')),
  CHECK (deliverable_digest IS NOT NULL
    OR NOT (status = 'DELIVERED' OR status = 'PAID' OR status = 'DISPUTED' OR status = 'RESOLVED')),
  CHECK (deadline IS NOT NULL OR status <> 'EXPIRED'),
  CHECK ((end_transaction_id IS NULL) = (status = 'HELD' OR status = 'DELIVERED' OR status = 'DISPUTED')),
  CHECK ((ended_by IS NULL) = (end_transaction_id IS NULL)),
  CHECK (arbiter_seq IS NULL OR (attested_by IS 'worker' AND arbiter_seq <> hirer_seq AND arbiter_seq <> worker_seq)),
  CHECK ((disputed_at IS NULL) = (dispute_reason IS NULL)),
  CHECK (dispute_until IS NULL OR disputed_at IS NOT NULL),
  CHECK (disputed_at IS NULL OR (status = 'PAID' OR status = 'DISPUTED' OR status = 'CANCELLED' OR status = 'RESOLVED')),
  CHECK (disputed_at IS NOT NULL OR NOT (status = 'DISPUTED' OR status = 'RESOLVED')),
  CHECK ((worker_amount IS NOT NULL) = (status = 'RESOLVED')),
  CHECK ((resolution_note IS NOT NULL) = (status = 'RESOLVED')),
  CHECK ((return_transaction_id IS NOT NULL) = (status = 'RESOLVED' AND worker_amount > 0 AND worker_amount < amount)),
  CHECK ((receipt_seq IS NOT NULL) = (status = 'PAID' OR (status = 'RESOLVED' AND worker_amount > 0))),
  CHECK ((paid_at IS NOT NULL) = (receipt_seq IS NOT NULL))
) STRICT;

INSERT INTO new_escrow SELECT * FROM escrow;

DROP TABLE escrow;
ALTER TABLE new_escrow RENAME TO escrow;

-- The lists of an agent, and what is refunded when it is revoked. Every index ends in escrow_seq.
CREATE INDEX escrow_by_hirer ON escrow (hirer_seq, status);
CREATE INDEX escrow_by_worker ON escrow (worker_seq, status);
-- What time ends.
CREATE INDEX escrow_by_due ON escrow (status, due_at) WHERE due_at IS NOT NULL;
-- Delivered tasks that nothing looks at: without accept_by, or standing still.
CREATE INDEX escrow_by_accept_by ON escrow (accept_by) WHERE status = 'DELIVERED' AND due_at IS NULL;
CREATE INDEX escrow_by_dispute_until ON escrow (dispute_until) WHERE status = 'DISPUTED';
-- The list of disputes, and the old ones.
CREATE INDEX escrow_by_dispute ON escrow (disputed_at) WHERE status = 'DISPUTED';
CREATE UNIQUE INDEX escrow_by_receipt ON escrow (receipt_seq) WHERE receipt_seq IS NOT NULL;

CREATE TRIGGER escrow_begins_held BEFORE INSERT ON escrow
WHEN NEW.status <> 'HELD' OR NEW.last_failure_event_hash IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'escrow begins with held credits'); END;
-- A trigger of columns costs nothing where they are not set. Escrow that ended has no row here, so it never changes.
CREATE TRIGGER escrow_moves_forward BEFORE UPDATE ON escrow
WHEN NEW.escrow_seq <> OLD.escrow_seq OR NOT CASE OLD.status
    WHEN 'HELD' THEN NEW.status = 'DELIVERED' OR NEW.status = 'HELD' OR NEW.status = 'CANCELLED' OR NEW.status = 'EXPIRED'
      OR NEW.status = 'DECLINED'
    WHEN 'DELIVERED' THEN NEW.status = 'PAID' OR NEW.status = 'DELIVERED' OR NEW.status = 'DISPUTED' OR NEW.status = 'CANCELLED'
    WHEN 'DISPUTED' THEN NEW.status = 'RESOLVED' OR NEW.status = 'DISPUTED' OR NEW.status = 'PAID' OR NEW.status = 'CANCELLED'
    ELSE 0 END
BEGIN SELECT RAISE(ABORT, 'escrow only moves forward'); END;
CREATE TRIGGER escrow_keeps_its_terms BEFORE UPDATE OF task_id, purpose, hirer_seq, worker_seq, amount, promotional, paid, sandbox,
  description, input_digest, deadline, created_at, lock_transaction_id, delivery, evidence_before ON escrow
WHEN NEW.task_id <> OLD.task_id OR NEW.purpose <> OLD.purpose
  OR NEW.hirer_seq <> OLD.hirer_seq OR NEW.worker_seq <> OLD.worker_seq OR NEW.amount <> OLD.amount
  OR NEW.promotional <> OLD.promotional OR NEW.paid <> OLD.paid OR NEW.sandbox <> OLD.sandbox
  OR NEW.description IS NOT OLD.description OR NEW.input_digest <> OLD.input_digest
  OR NEW.deadline IS NOT OLD.deadline OR NEW.created_at <> OLD.created_at
  OR NEW.lock_transaction_id <> OLD.lock_transaction_id
  OR NEW.delivery <> OLD.delivery OR NEW.evidence_before IS NOT OLD.evidence_before
BEGIN SELECT RAISE(ABORT, 'escrow only moves forward'); END;
-- Only the step from HELD to DELIVERED names evidence and an arbiter.
CREATE TRIGGER escrow_keeps_its_delivery BEFORE UPDATE OF deliverable_digest, evidence_event_hash, attested_by, arbiter_seq ON escrow
WHEN NOT (OLD.status = 'HELD' AND NEW.status = 'DELIVERED')
  AND (NEW.deliverable_digest IS NOT OLD.deliverable_digest OR NEW.evidence_event_hash IS NOT OLD.evidence_event_hash
    OR NEW.attested_by IS NOT OLD.attested_by OR NEW.arbiter_seq IS NOT OLD.arbiter_seq)
BEGIN SELECT RAISE(ABORT, 'escrow only moves forward'); END;
CREATE TRIGGER escrow_keeps_accept_by BEFORE UPDATE OF accept_by ON escrow
WHEN OLD.accept_by IS NOT NULL AND NEW.accept_by IS NOT OLD.accept_by
BEGIN SELECT RAISE(ABORT, 'escrow only moves forward'); END;
-- Only the step from DELIVERED to DISPUTED says why.
CREATE TRIGGER escrow_keeps_its_dispute BEFORE UPDATE OF disputed_at, dispute_reason, dispute_until ON escrow
WHEN ((NEW.disputed_at IS NOT OLD.disputed_at OR NEW.dispute_reason IS NOT OLD.dispute_reason)
    AND NOT (OLD.status = 'DELIVERED' AND NEW.status = 'DISPUTED'))
  OR (OLD.dispute_until IS NOT NULL AND NEW.dispute_until IS NOT OLD.dispute_until)
BEGIN SELECT RAISE(ABORT, 'escrow only moves forward'); END;
CREATE TRIGGER escrow_stays BEFORE DELETE ON escrow
BEGIN SELECT RAISE(ABORT, 'escrow is never deleted'); END;

-- Whatever pays a revoked agent, or returns credits to it, ends an escrow or a withdrawal.
CREATE TRIGGER credits_return_after_escrow AFTER UPDATE OF status ON escrow
WHEN NEW.end_transaction_id IS NOT NULL AND ((SELECT state FROM agent WHERE agent_seq = NEW.hirer_seq) = 'REVOKED'
  OR (SELECT state FROM agent WHERE agent_seq = NEW.worker_seq) = 'REVOKED')
BEGIN
  INSERT INTO credit_return (agent_seq)
  SELECT agent_seq FROM agent WHERE agent_seq IN (NEW.hirer_seq, NEW.worker_seq) AND state = 'REVOKED'
  ON CONFLICT DO NOTHING;
END;

-- The state of a paid A2A task is that of its escrow.
CREATE TRIGGER a2a_task_follows_its_escrow AFTER UPDATE OF status, updated_at ON escrow
WHEN NEW.purpose = 'a2a'
BEGIN
  UPDATE a2a_task SET updated_at = NEW.updated_at, state = CASE NEW.status
    WHEN 'HELD' THEN 'working' WHEN 'DELIVERED' THEN 'input-required' WHEN 'DISPUTED' THEN 'working'
    WHEN 'PAID' THEN 'completed' WHEN 'CANCELLED' THEN 'canceled' WHEN 'DECLINED' THEN 'rejected'
    WHEN 'RESOLVED' THEN iif(NEW.worker_amount > 0, 'completed', 'failed') ELSE 'failed' END
  WHERE escrow_seq = NEW.escrow_seq;
END;

CREATE TRIGGER escrow_refuses_its_arbiter BEFORE UPDATE OF status ON escrow
WHEN NEW.ended_by IS 'arbiter' AND EXISTS (SELECT 1 FROM arbiter_refusal WHERE escrow_seq = NEW.escrow_seq)
BEGIN SELECT RAISE(ABORT, 'the hirer refused the arbiter'); END;

-- Hires that the hirer accepted while another operator sponsored it, by the sponsors of that moment.
CREATE TRIGGER accepted_delivery_is_recorded AFTER UPDATE OF status ON escrow
WHEN NEW.status = 'PAID' AND NEW.ended_by = 'hirer' AND NEW.sandbox = 0
  AND (SELECT sponsor_seq FROM agent WHERE agent_seq = NEW.hirer_seq)
    <> (SELECT sponsor_seq FROM agent WHERE agent_seq = NEW.worker_seq)
  -- Work that the platform attested counts already.
  AND NOT EXISTS (SELECT 1 FROM evidence JOIN evidence_attested USING (evidence_seq)
    WHERE agent_seq = NEW.worker_seq AND event_hash = NEW.evidence_event_hash)
BEGIN
  INSERT INTO accepted_delivery (escrow_seq, worker_seq, hirer_sponsor, worker_sponsor, accepted_day)
  SELECT NEW.escrow_seq, NEW.worker_seq, hirer.sponsor_seq, worker.sponsor_seq, NEW.paid_at / 86400000
  FROM agent AS hirer, agent AS worker
  WHERE hirer.agent_seq = NEW.hirer_seq AND worker.agent_seq = NEW.worker_seq;
END;

-- The payments that bought the credits of a hire, as its lots say when it is delivered.
CREATE TRIGGER hire_payment_is_recorded AFTER UPDATE OF deliverable_digest ON escrow
WHEN NEW.status = 'DELIVERED' AND OLD.status = 'HELD' AND NEW.sandbox = 0
BEGIN
  INSERT INTO hire_payment (escrow_seq, payment_seq)
  SELECT NEW.escrow_seq, payment_seq FROM credit_lot
  WHERE kind = 'locked' AND owner_seq = NEW.hirer_seq AND (asset = 'paid' OR asset = 'promotional') AND lock = NEW.lock_transaction_id
    AND payment_seq > 0
  ON CONFLICT DO NOTHING;
END;

-- Credits that passed from one operator, with the agents that it sponsors, to another, each day. Sponsors are those of the moment.
DROP TRIGGER sponsor_flow_follows;
CREATE TRIGGER sponsor_flow_follows AFTER INSERT ON movement
WHEN (NEW.credit_kind = 'agent' OR NEW.credit_kind = 'pool') AND (NEW.asset = 'promotional' OR NEW.asset = 'paid')
  AND (NEW.debit_kind = 'agent' OR NEW.debit_kind = 'locked' OR NEW.debit_kind = 'pool')
  AND iif(NEW.debit_kind = 'pool', NEW.debit_owner, (SELECT sponsor_seq FROM agent WHERE agent_seq = NEW.debit_owner))
    <> iif(NEW.credit_kind = 'pool', NEW.credit_owner, (SELECT sponsor_seq FROM agent WHERE agent_seq = NEW.credit_owner))
BEGIN
  INSERT INTO sponsor_flow (payer, payee, day, credits)
  VALUES (iif(NEW.debit_kind = 'pool', NEW.debit_owner, (SELECT sponsor_seq FROM agent WHERE agent_seq = NEW.debit_owner)),
    iif(NEW.credit_kind = 'pool', NEW.credit_owner, (SELECT sponsor_seq FROM agent WHERE agent_seq = NEW.credit_owner)),
    NEW.created_at / 86400000, NEW.amount)
  ON CONFLICT (payer, payee, day) DO UPDATE SET credits = sponsor_flow.credits + excluded.credits;
END;

DROP TRIGGER movement_moves_lots;
CREATE TRIGGER movement_moves_lots AFTER INSERT ON movement
WHEN NEW.asset = 'paid'
BEGIN
  SELECT RAISE(ABORT, 'the lots of an account are not its paid credits')
  WHERE ((NEW.debit_kind = 'agent' OR NEW.debit_kind = 'locked' OR NEW.debit_kind = 'pool' OR NEW.debit_kind = 'unclaimed')
      AND NEW.debit_after <> coalesce((SELECT amount FROM lot_total
        WHERE kind = NEW.debit_kind AND owner_seq = NEW.debit_owner AND asset = 'paid'), 0))
    OR ((NEW.credit_kind = 'agent' OR NEW.credit_kind = 'locked' OR NEW.credit_kind = 'pool' OR NEW.credit_kind = 'unclaimed')
      AND NEW.credit_after <> coalesce((SELECT amount FROM lot_total
        WHERE kind = NEW.credit_kind AND owner_seq = NEW.credit_owner AND asset = 'paid'), 0));
END;
