-- Revoked agents whose credits may return to the pool of their sponsor. The scheduler returns them once no escrow and no withdrawal of the
-- agent is open. If one is, the scheduler removes the row, and the end of the last one puts it back.
CREATE TABLE credit_return (
  agent_seq INTEGER PRIMARY KEY REFERENCES agent (agent_seq)
) STRICT;

CREATE TRIGGER credits_of_revoked_agent_return AFTER UPDATE OF state ON agent
WHEN NEW.state = 'REVOKED' AND OLD.state <> 'REVOKED'
  AND EXISTS (SELECT 1 FROM ledger_account WHERE kind = 'agent' AND owner_seq = NEW.agent_seq AND balance > 0)
BEGIN INSERT INTO credit_return (agent_seq) VALUES (NEW.agent_seq) ON CONFLICT DO NOTHING; END;

-- Whatever pays a revoked agent, or returns credits to it, ends an escrow or a withdrawal.
CREATE TRIGGER credits_return_after_escrow AFTER UPDATE OF status ON escrow
WHEN NEW.status <> OLD.status AND NEW.status NOT IN ('HELD', 'DELIVERED')
BEGIN
  INSERT INTO credit_return (agent_seq)
  SELECT agent_seq FROM agent WHERE agent_seq IN (NEW.hirer_seq, NEW.worker_seq) AND state = 'REVOKED'
  ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER credits_return_after_withdrawal AFTER UPDATE OF status ON payout
WHEN NEW.status <> OLD.status AND NEW.status NOT IN ('queued', 'submitted')
BEGIN
  INSERT INTO credit_return (agent_seq)
  SELECT agent_seq FROM agent WHERE agent_seq = NEW.agent_seq AND state = 'REVOKED'
  ON CONFLICT DO NOTHING;
END;

-- Agents that were revoked before.
INSERT INTO credit_return (agent_seq)
SELECT DISTINCT owner_seq FROM ledger_account JOIN agent ON agent_seq = owner_seq
WHERE kind = 'agent' AND balance > 0 AND state = 'REVOKED';
