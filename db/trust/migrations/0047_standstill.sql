-- Frozen agents, and how long hires stand still. The time of an agent's hires stands still while the agent is frozen, or the account of
-- its sponsor is not active. Times are milliseconds since 1970.

ALTER TABLE agent ADD COLUMN frozen_since INTEGER CHECK (frozen_since >= 0);
ALTER TABLE agent ADD COLUMN frozen_reason TEXT
  CHECK (length(frozen_reason) BETWEEN 1 AND 1024 AND (frozen_reason IS NULL) = (frozen_since IS NULL));
CREATE TRIGGER agent_freeze_is_marked AFTER UPDATE OF frozen_since ON agent
BEGIN UPDATE authority_mark SET mark = abs(random() % 9007199254740991); END;

-- Since when an account is not active, and for how long it was not in former times.
ALTER TABLE operator ADD COLUMN inactive_since INTEGER CHECK (inactive_since >= 0);
ALTER TABLE operator ADD COLUMN inactive_ms INTEGER NOT NULL DEFAULT 0 CHECK (inactive_ms >= 0);
UPDATE operator SET inactive_since = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE account_status <> 'ACTIVE';
CREATE TRIGGER closed_account_stays_closed BEFORE UPDATE OF account_status ON operator
WHEN OLD.account_status = 'CLOSED' AND NEW.account_status <> 'CLOSED'
BEGIN SELECT RAISE(ABORT, 'a closed account stays closed'); END;

-- Only of agents that were frozen, or that changed their sponsor.
CREATE TABLE agent_standstill (
  agent_seq    INTEGER PRIMARY KEY REFERENCES agent (agent_seq),
  -- For how long the hires had stood still when the freeze began. Without a freeze: added to the times of the sponsor.
  base_ms      INTEGER NOT NULL,
  -- When the standstill began that the freeze continued, or that continued after it.
  since        INTEGER CHECK (since >= 0),
  -- After a freeze: inactive_since of the sponsor for which `since` holds.
  carried_over INTEGER CHECK (carried_over >= 0)
) STRICT;

-- Deadline and accept_by move by the time that their hire stood still. What the hirer had stood still when its present status began.
ALTER TABLE escrow ADD COLUMN still_mark INTEGER NOT NULL DEFAULT 0;
-- By how much deadline and accept_by moved in statuses that have ended.
ALTER TABLE escrow ADD COLUMN deadline_moved_ms INTEGER NOT NULL DEFAULT 0 CHECK (deadline_moved_ms >= 0);
ALTER TABLE escrow ADD COLUMN accept_moved_ms INTEGER NOT NULL DEFAULT 0 CHECK (accept_moved_ms >= 0);
-- When the scheduler looks at it again. Null while it stands still and time would have ended it.
ALTER TABLE escrow ADD COLUMN due_at INTEGER;
UPDATE escrow SET due_at = CASE status WHEN 'HELD' THEN deadline ELSE accept_by END WHERE status IN ('HELD', 'DELIVERED');

DROP INDEX escrow_by_deadline;
CREATE INDEX escrow_by_due ON escrow (status, due_at) WHERE due_at IS NOT NULL;

-- What the scheduler does for all hires of an agent, or of the agents of an operator, with the last of these agents that is done:
-- `revoked` refunds HELD escrow, `still` refunds HELD hires when the grace after `began` is over, `resumed` lets time end hires again.
CREATE TABLE escrow_step (
  step_seq     INTEGER PRIMARY KEY,
  step         TEXT NOT NULL CHECK (length(step) BETWEEN 1 AND 32),
  agent_seq    INTEGER REFERENCES agent (agent_seq),
  operator_seq INTEGER REFERENCES operator (operator_seq),
  began        INTEGER NOT NULL DEFAULT 0 CHECK (began >= 0),
  position     INTEGER NOT NULL DEFAULT 0 CHECK (position >= 0),
  CHECK ((agent_seq IS NULL) <> (operator_seq IS NULL))
) STRICT;
CREATE INDEX escrow_step_by_begin ON escrow_step (step, began);

INSERT INTO escrow_step (step, agent_seq) SELECT 'revoked', agent_seq FROM escrow_refund WHERE agent_seq IS NOT NULL;
INSERT INTO escrow_step (step, operator_seq, began) SELECT 'still', operator_seq, inactive_since FROM operator WHERE inactive_since IS NOT NULL;
DROP TRIGGER escrow_of_revoked_agent_is_refunded;
DROP TRIGGER escrow_of_inactive_operator_is_refunded;
DROP TABLE escrow_refund;

CREATE TRIGGER escrow_of_revoked_agent_is_refunded AFTER UPDATE OF state ON agent
WHEN NEW.state = 'REVOKED' AND OLD.state <> 'REVOKED' AND (
  EXISTS (SELECT 1 FROM escrow WHERE hirer_seq = NEW.agent_seq AND status = 'HELD')
  OR EXISTS (SELECT 1 FROM escrow WHERE worker_seq = NEW.agent_seq AND status = 'HELD')
)
BEGIN INSERT INTO escrow_step (step, agent_seq) VALUES ('revoked', NEW.agent_seq); END;
CREATE TRIGGER hires_of_inactive_operator_stand_still AFTER UPDATE OF account_status ON operator
WHEN NEW.account_status <> 'ACTIVE' AND OLD.account_status = 'ACTIVE'
BEGIN INSERT INTO escrow_step (step, operator_seq, began) VALUES ('still', NEW.operator_seq, coalesce(NEW.inactive_since, 0)); END;
CREATE TRIGGER hires_of_active_operator_go_on AFTER UPDATE OF account_status ON operator
WHEN NEW.account_status = 'ACTIVE' AND OLD.account_status <> 'ACTIVE'
BEGIN INSERT INTO escrow_step (step, operator_seq) VALUES ('resumed', NEW.operator_seq); END;
CREATE TRIGGER hires_of_frozen_agent_stand_still AFTER UPDATE OF frozen_since ON agent
WHEN NEW.frozen_since IS NOT NULL AND OLD.frozen_since IS NULL
  AND EXISTS (SELECT 1 FROM escrow WHERE hirer_seq = NEW.agent_seq AND status = 'HELD')
BEGIN
  INSERT INTO escrow_step (step, agent_seq, began)
  SELECT 'still', NEW.agent_seq, coalesce((SELECT since FROM agent_standstill WHERE agent_seq = NEW.agent_seq), NEW.frozen_since);
END;
-- A change of the sponsor can end a standstill, too.
CREATE TRIGGER hires_of_agent_go_on AFTER UPDATE OF frozen_since, sponsor_seq ON agent
WHEN (NEW.frozen_since IS NULL AND OLD.frozen_since IS NOT NULL OR NEW.sponsor_seq IS NOT OLD.sponsor_seq)
  AND EXISTS (SELECT 1 FROM escrow WHERE hirer_seq = NEW.agent_seq AND status IN ('HELD', 'DELIVERED'))
BEGIN INSERT INTO escrow_step (step, agent_seq) VALUES ('resumed', NEW.agent_seq); END;
-- The credits of a revoked agent stay where they are while it is frozen.
CREATE TRIGGER credits_return_after_freeze AFTER UPDATE OF frozen_since ON agent
WHEN NEW.frozen_since IS NULL AND OLD.frozen_since IS NOT NULL AND NEW.state = 'REVOKED'
BEGIN INSERT INTO credit_return (agent_seq) VALUES (NEW.agent_seq) ON CONFLICT DO NOTHING; END;
