-- Credits that are locked until a task ends. Engagements, ACP tasks and paid A2A tasks are views of this one state machine:
-- HELD -> DELIVERED -> PAID, HELD -> CANCELLED or EXPIRED, DELIVERED -> CANCELLED. Times are milliseconds since 1970.

CREATE TABLE escrow (
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
  status                  TEXT NOT NULL CHECK (status IN ('HELD', 'DELIVERED', 'PAID', 'CANCELLED', 'EXPIRED')),
  updated_at              INTEGER NOT NULL CHECK (updated_at >= 0),
  -- The evidence of the worker that delivered.
  deliverable_digest      BLOB CHECK (length(deliverable_digest) = 32),
  evidence_event_hash     BLOB CHECK (length(evidence_event_hash) = 32),
  -- When a delivered task is paid without an acceptance. Null after a delivery while the clock was known to be wrong, until it is right.
  accept_by               INTEGER CHECK (accept_by >= 0),
  -- The newest evidence of the worker that says that the task failed.
  last_failure_event_hash BLOB CHECK (length(last_failure_event_hash) = 32),
  -- Who ended it: the hirer, the worker, an administrator, or the service itself.
  ended_by                TEXT CHECK (length(ended_by) BETWEEN 1 AND 32),
  -- The ESCROW_RELEASE of a paid task; the UNLOCK of a cancelled or expired one.
  end_transaction_id      BLOB CHECK (length(end_transaction_id) = 16),
  receipt_seq             INTEGER REFERENCES receipt (receipt_seq),
  paid_at                 INTEGER CHECK (paid_at >= 0),
  CHECK (hirer_seq <> worker_seq),
  CHECK (promotional + paid + sandbox = amount),
  -- Sandbox credits are never mixed with others.
  CHECK (sandbox = 0 OR promotional + paid = 0),
  CHECK ((deliverable_digest IS NULL) = (evidence_event_hash IS NULL)),
  CHECK (accept_by IS NULL OR deliverable_digest IS NOT NULL),
  CHECK (deliverable_digest IS NULL OR NOT status IN ('HELD', 'EXPIRED')),
  CHECK (deliverable_digest IS NOT NULL OR NOT status IN ('DELIVERED', 'PAID')),
  CHECK (deadline IS NOT NULL OR status <> 'EXPIRED'),
  CHECK ((end_transaction_id IS NULL) = (status IN ('HELD', 'DELIVERED'))),
  CHECK ((ended_by IS NULL) = (end_transaction_id IS NULL)),
  CHECK ((receipt_seq IS NOT NULL) = (status = 'PAID')),
  CHECK ((paid_at IS NOT NULL) = (status = 'PAID'))
) STRICT;

-- The lists of an agent, and what is refunded when it is revoked. Every index ends in escrow_seq.
CREATE INDEX escrow_by_hirer ON escrow (hirer_seq, status);
CREATE INDEX escrow_by_worker ON escrow (worker_seq, status);
-- What time ends. A delivered task without accept_by comes first.
CREATE INDEX escrow_by_deadline ON escrow (deadline) WHERE status = 'HELD' AND deadline IS NOT NULL;
CREATE INDEX escrow_by_accept_by ON escrow (accept_by) WHERE status = 'DELIVERED';
CREATE UNIQUE INDEX escrow_by_receipt ON escrow (receipt_seq) WHERE receipt_seq IS NOT NULL;

CREATE TRIGGER escrow_begins_held BEFORE INSERT ON escrow
WHEN NEW.status <> 'HELD' OR NEW.last_failure_event_hash IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'escrow begins with held credits'); END;
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
  -- Only the step from HELD to DELIVERED names evidence.
  OR ((NEW.deliverable_digest IS NOT OLD.deliverable_digest OR NEW.evidence_event_hash IS NOT OLD.evidence_event_hash)
    AND NOT (OLD.status = 'HELD' AND NEW.status = 'DELIVERED'))
  OR (OLD.accept_by IS NOT NULL AND NEW.accept_by IS NOT OLD.accept_by)
BEGIN SELECT RAISE(ABORT, 'escrow only moves forward'); END;
CREATE TRIGGER escrow_stays BEFORE DELETE ON escrow
BEGIN SELECT RAISE(ABORT, 'escrow is never deleted'); END;

-- Parties that can no longer act: the scheduler refunds their HELD escrow. A row is an agent that was revoked, or an operator whose
-- account is no longer active, with the last of its agents that is done. Each suspension has its own row.
CREATE TABLE escrow_refund (
  refund_seq   INTEGER PRIMARY KEY,
  agent_seq    INTEGER UNIQUE REFERENCES agent (agent_seq),
  operator_seq INTEGER REFERENCES operator (operator_seq),
  position     INTEGER NOT NULL CHECK (position >= 0),
  CHECK ((agent_seq IS NULL) <> (operator_seq IS NULL))
) STRICT;

CREATE TRIGGER escrow_of_revoked_agent_is_refunded AFTER UPDATE OF state ON agent
WHEN NEW.state = 'REVOKED' AND OLD.state <> 'REVOKED' AND (
  EXISTS (SELECT 1 FROM escrow WHERE hirer_seq = NEW.agent_seq AND status = 'HELD')
  OR EXISTS (SELECT 1 FROM escrow WHERE worker_seq = NEW.agent_seq AND status = 'HELD')
)
BEGIN INSERT INTO escrow_refund (agent_seq, position) VALUES (NEW.agent_seq, 0) ON CONFLICT DO NOTHING; END;
CREATE TRIGGER escrow_of_inactive_operator_is_refunded AFTER UPDATE OF account_status ON operator
WHEN NEW.account_status <> 'ACTIVE' AND OLD.account_status = 'ACTIVE'
BEGIN INSERT INTO escrow_refund (operator_seq, position) VALUES (NEW.operator_seq, 0); END;
