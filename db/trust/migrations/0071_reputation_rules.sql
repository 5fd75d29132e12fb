-- What a liar could still choose about a score: deliveries whose payment was taken back, failures that were revoked, many agents of one
-- pair of sponsors, agents that carry credits to another sponsor. And what assessors say.

-- The payments that bought the credits of a hire, as its lots say when it is delivered: afterwards they are the worker's.
CREATE TABLE hire_payment (
  escrow_seq  INTEGER NOT NULL REFERENCES escrow (escrow_seq),
  payment_seq INTEGER NOT NULL REFERENCES booked_payment (payment_seq),
  PRIMARY KEY (escrow_seq, payment_seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX hire_payment_by_payment ON hire_payment (payment_seq);
CREATE TRIGGER hire_payment_is_final BEFORE UPDATE ON hire_payment
BEGIN SELECT RAISE(ABORT, 'what paid for a hire never changes'); END;
CREATE TRIGGER hire_payment_stays BEFORE DELETE ON hire_payment
BEGIN SELECT RAISE(ABORT, 'what paid for a hire is never deleted'); END;
CREATE TRIGGER hire_payment_is_recorded AFTER UPDATE OF status ON escrow
WHEN NEW.status = 'DELIVERED' AND OLD.status = 'HELD' AND NEW.sandbox = 0
BEGIN
  INSERT INTO hire_payment (escrow_seq, payment_seq)
  SELECT DISTINCT NEW.escrow_seq, payment_seq FROM credit_lot
  WHERE kind = 'locked' AND owner_seq = NEW.hirer_seq AND asset IN ('paid', 'promotional') AND lock = NEW.lock_transaction_id
    AND payment_seq > 0;
END;

-- A refund or a dispute changes which deliveries count, so they are counted again.
CREATE TRIGGER refund_changes_deliveries AFTER UPDATE OF refunded_cents, payment_intent ON booked_payment
WHEN EXISTS (SELECT 1 FROM hire_payment WHERE payment_seq = NEW.payment_seq)
BEGIN DELETE FROM delivery_clock; END;
CREATE TRIGGER dispute_changes_deliveries AFTER INSERT ON payment_report
WHEN NEW.kind = 'dispute' AND EXISTS (SELECT 1 FROM booked_payment JOIN hire_payment USING (payment_seq)
  WHERE payment_intent = NEW.payment_intent)
BEGIN DELETE FROM delivery_clock; END;
CREATE TRIGGER dispute_decision_changes_deliveries AFTER UPDATE OF status ON payment_report
WHEN NEW.kind = 'dispute' AND NEW.status <> OLD.status AND EXISTS (SELECT 1 FROM booked_payment JOIN hire_payment USING (payment_seq)
  WHERE payment_intent = NEW.payment_intent)
BEGIN DELETE FROM delivery_clock; END;

-- Administrators take credits back from an agent, and name no hire: what was accepted until that day does not count. Days are days since
-- 1970-01-01 UTC.
CREATE TABLE claw_back (
  agent_seq INTEGER NOT NULL REFERENCES agent (agent_seq),
  day       INTEGER NOT NULL CHECK (day >= 0),
  PRIMARY KEY (agent_seq, day)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER claw_back_is_final BEFORE UPDATE ON claw_back
BEGIN SELECT RAISE(ABORT, 'claw-backs never change'); END;
CREATE TRIGGER claw_back_stays BEFORE DELETE ON claw_back
BEGIN SELECT RAISE(ABORT, 'claw-backs are never deleted'); END;
INSERT INTO claw_back (agent_seq, day)
SELECT DISTINCT debit_owner, created_at / 86400000 FROM movement
WHERE kind = 'ADJUSTMENT' AND debit_kind = 'agent' AND reference = 'claw_back' AND asset IN ('paid', 'promotional');
CREATE TRIGGER claw_back_is_recorded AFTER INSERT ON movement
WHEN NEW.kind = 'ADJUSTMENT' AND NEW.debit_kind = 'agent' AND NEW.reference = 'claw_back' AND NEW.asset IN ('paid', 'promotional')
BEGIN
  INSERT INTO claw_back (agent_seq, day) VALUES (NEW.debit_owner, NEW.created_at / 86400000) ON CONFLICT DO NOTHING;
  DELETE FROM delivery_clock WHERE EXISTS (SELECT 1 FROM accepted_delivery WHERE worker_seq = NEW.debit_owner);
END;

-- Deliveries count by pairs of sponsors, the first ones first.
CREATE INDEX accepted_delivery_by_sponsors ON accepted_delivery (hirer_sponsor, worker_sponsor, accepted_day);

-- Deliveries to an operator that an agent made for itself count once it has a paid plan.
DROP TRIGGER operator_plan_changes_scores;
CREATE TRIGGER operator_plan_changes_scores AFTER UPDATE OF plan ON operator WHEN NEW.plan <> OLD.plan
BEGIN
  UPDATE agent_standing SET stale = 1
  WHERE agent_seq IN (SELECT agent_seq FROM agent WHERE sponsor_seq = NEW.operator_seq);
  DELETE FROM delivery_clock WHERE NEW.self_provisioned = 1;
END;

-- An agent that changes its sponsor carries its credits from the former one to the new one.
CREATE TRIGGER sponsor_flow_follows_agents AFTER UPDATE OF sponsor_seq ON agent WHEN NEW.sponsor_seq IS NOT OLD.sponsor_seq
BEGIN
  INSERT INTO sponsor_flow (payer, payee, day, credits)
  SELECT former.operator_seq, NEW.sponsor_seq, unixepoch(former.until) / 86400, carried.credits
  FROM (SELECT operator_seq, until FROM agent_sponsor
      WHERE agent_seq = NEW.agent_seq AND operator_seq <> NEW.sponsor_seq AND until IS NOT NULL
      ORDER BY until DESC LIMIT 1) AS former,
    (SELECT sum(balance) AS credits FROM ledger_account
      WHERE kind IN ('agent', 'locked') AND owner_seq = NEW.agent_seq AND asset IN ('paid', 'promotional')) AS carried
  WHERE carried.credits > 0
  ON CONFLICT (payer, payee, day) DO UPDATE SET credits = sponsor_flow.credits + excluded.credits;
END;

-- Assessments by listed, independent assessors that count as outcomes of the assessed agent. Days are days since 1970-01-01 UTC.
CREATE TABLE assessed_outcome (
  evidence_seq INTEGER PRIMARY KEY REFERENCES evidence (evidence_seq),
  assessor_seq INTEGER NOT NULL REFERENCES agent (agent_seq),
  subject_seq  INTEGER NOT NULL REFERENCES agent (agent_seq) CHECK (subject_seq <> assessor_seq),
  framework    TEXT NOT NULL CHECK (length(framework) BETWEEN 1 AND 64),
  day          INTEGER NOT NULL CHECK (day >= 0),
  -- success, failure.
  outcome      TEXT NOT NULL CHECK (length(outcome) BETWEEN 1 AND 16)
) STRICT;
CREATE INDEX assessed_outcome_by_subject ON assessed_outcome (subject_seq, assessor_seq, framework, day);
CREATE TRIGGER assessed_outcome_is_final BEFORE UPDATE ON assessed_outcome
BEGIN SELECT RAISE(ABORT, 'what an assessor found never changes'); END;
CREATE TRIGGER assessed_outcome_stays BEFORE DELETE ON assessed_outcome
BEGIN SELECT RAISE(ABORT, 'what an assessor found is never deleted'); END;

-- Beside the successes and failures of a day: what assessors found, and failures of the sponsor's receipts that it revoked. They are in the
-- score, and in no rate.
ALTER TABLE agent_day ADD COLUMN assessed_successes INTEGER NOT NULL DEFAULT 0 CHECK (assessed_successes >= 0);
ALTER TABLE agent_day ADD COLUMN assessed_failures INTEGER NOT NULL DEFAULT 0 CHECK (assessed_failures >= 0);
ALTER TABLE agent_day ADD COLUMN revoked_failures INTEGER NOT NULL DEFAULT 0 CHECK (revoked_failures >= 0);
UPDATE agent_day SET revoked_failures = made.failures
FROM (
  SELECT c.agent_seq, c.day, count(*) AS failures FROM agent_receipt c JOIN receipt r USING (receipt_seq)
  WHERE c.outcome = 'failure' AND r.revocation_status = 'revoked' GROUP BY 1, 2
) AS made WHERE made.agent_seq = agent_day.agent_seq AND made.day = agent_day.day;
UPDATE agent_standing SET stale = 1;

-- Since when a receipt is abandoned that nobody finalizes, in milliseconds since 1970: 30 days after its issue, or past its expiry.
ALTER TABLE receipt ADD COLUMN lapses_at INTEGER GENERATED ALWAYS AS (min(
    CAST(round(unixepoch(issued_at, 'subsec') * 1000) AS INTEGER) + 2592000000,
    coalesce(CAST(round(unixepoch(expiry, 'subsec') * 1000) AS INTEGER), 9007199254740991))) VIRTUAL;
DROP INDEX receipt_lapsing;
CREATE INDEX receipt_lapsing ON receipt (operator_seq, domain, (domain_commitment IS NOT NULL), lapses_at)
  WHERE status = 'pending' AND revocation_status = 'active';
-- Those that name an agent.
CREATE INDEX receipt_lapsing_by_agent ON receipt (operator_seq, agent_id, revocation_status, lapses_at, issued_at)
  WHERE status = 'pending' AND length(agent_id) = 64;
