-- Who says so: outcomes of each day by who attests them, and a score that is kept for a leaderboard in its order.

-- Items whose payload the agent had anchored before under another type: they count for no rate and no score.
CREATE TABLE evidence_repeat (
  evidence_seq INTEGER PRIMARY KEY REFERENCES evidence (evidence_seq)
) STRICT;
CREATE TRIGGER evidence_repeat_is_final BEFORE UPDATE ON evidence_repeat
BEGIN SELECT RAISE(ABORT, 'what was repeated never changes'); END;
CREATE TRIGGER evidence_repeat_stays BEFORE DELETE ON evidence_repeat
BEGIN SELECT RAISE(ABORT, 'what was repeated is never deleted'); END;

-- Items that came with the service token: the platform that ordered the work attests them, not the agent alone.
CREATE TABLE evidence_attested (
  evidence_seq INTEGER PRIMARY KEY REFERENCES evidence (evidence_seq)
) STRICT;
INSERT INTO evidence_attested SELECT evidence_seq FROM evidence WHERE source_type = 'task_deliverable';
CREATE TRIGGER evidence_attested_is_final BEFORE UPDATE ON evidence_attested
BEGIN SELECT RAISE(ABORT, 'who attested evidence never changes'); END;
CREATE TRIGGER evidence_attested_stays BEFORE DELETE ON evidence_attested
BEGIN SELECT RAISE(ABORT, 'who attested evidence is never deleted'); END;

-- Of the successes and failures of a day, those that others attest and those that the sponsor does. The agent itself signs the rest.
ALTER TABLE agent_day ADD COLUMN corroborated_successes INTEGER NOT NULL DEFAULT 0 CHECK (corroborated_successes >= 0);
ALTER TABLE agent_day ADD COLUMN corroborated_failures INTEGER NOT NULL DEFAULT 0 CHECK (corroborated_failures >= 0);
ALTER TABLE agent_day ADD COLUMN sponsored_successes INTEGER NOT NULL DEFAULT 0 CHECK (sponsored_successes >= 0);
ALTER TABLE agent_day ADD COLUMN sponsored_failures INTEGER NOT NULL DEFAULT 0 CHECK (sponsored_failures >= 0);
UPDATE agent_day SET sponsored_successes = made.successes, sponsored_failures = made.failures
FROM (
  SELECT c.agent_seq, c.day, sum(c.outcome = 'success') AS successes, sum(c.outcome = 'failure') AS failures
  FROM agent_receipt c JOIN receipt r USING (receipt_seq) WHERE r.revocation_status = 'active' GROUP BY 1, 2
) AS made WHERE made.agent_seq = agent_day.agent_seq AND made.day = agent_day.day;
UPDATE agent_day SET corroborated_successes = made.successes, corroborated_failures = made.failures
FROM (
  SELECT e.agent_seq, unixepoch(e.created_at) / 86400 AS day, sum(e.outcome = 'success') AS successes,
    sum(e.outcome = 'failure') AS failures
  FROM evidence e JOIN evidence_attested USING (evidence_seq) GROUP BY 1, 2
) AS made WHERE made.agent_seq = agent_day.agent_seq AND made.day = agent_day.day;

-- Hires that the hirer accepted while another operator sponsored it, by the sponsors of that moment.
CREATE TABLE accepted_delivery (
  escrow_seq    INTEGER PRIMARY KEY REFERENCES escrow (escrow_seq),
  worker_seq    INTEGER NOT NULL REFERENCES agent (agent_seq),
  hirer_sponsor INTEGER NOT NULL REFERENCES operator (operator_seq),
  worker_sponsor INTEGER NOT NULL REFERENCES operator (operator_seq) CHECK (worker_sponsor <> hirer_sponsor),
  -- Days since 1970-01-01 UTC.
  accepted_day  INTEGER NOT NULL CHECK (accepted_day >= 0)
) STRICT;
CREATE INDEX accepted_delivery_by_worker ON accepted_delivery (worker_seq, accepted_day, hirer_sponsor, worker_sponsor);
CREATE INDEX accepted_delivery_by_day ON accepted_delivery (accepted_day);
CREATE TRIGGER accepted_delivery_is_final BEFORE UPDATE ON accepted_delivery
BEGIN SELECT RAISE(ABORT, 'acceptances never change'); END;
CREATE TRIGGER accepted_delivery_stays BEFORE DELETE ON accepted_delivery
BEGIN SELECT RAISE(ABORT, 'acceptances are never deleted'); END;

CREATE TRIGGER accepted_delivery_is_recorded AFTER UPDATE OF status ON escrow
WHEN NEW.status = 'PAID' AND OLD.status <> 'PAID' AND NEW.ended_by = 'hirer' AND NEW.sandbox = 0
-- Work that the platform attested counts already.
AND NOT EXISTS (SELECT 1 FROM evidence JOIN evidence_attested USING (evidence_seq)
  WHERE agent_seq = NEW.worker_seq AND event_hash = NEW.evidence_event_hash)
BEGIN
  INSERT INTO accepted_delivery (escrow_seq, worker_seq, hirer_sponsor, worker_sponsor, accepted_day)
  SELECT NEW.escrow_seq, NEW.worker_seq, hirer.sponsor_seq, worker.sponsor_seq, NEW.paid_at / 86400000
  FROM agent AS hirer, agent AS worker
  WHERE hirer.agent_seq = NEW.hirer_seq AND worker.agent_seq = NEW.worker_seq AND hirer.sponsor_seq <> worker.sponsor_seq;
END;

-- Credits that passed from one operator, with the agents that it sponsors, to another, each day. Sponsors are those of the moment.
CREATE TABLE sponsor_flow (
  payer   INTEGER NOT NULL REFERENCES operator (operator_seq),
  payee   INTEGER NOT NULL REFERENCES operator (operator_seq) CHECK (payee <> payer),
  day     INTEGER NOT NULL CHECK (day >= 0),
  credits INTEGER NOT NULL CHECK (credits > 0),
  PRIMARY KEY (payer, payee, day)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER sponsor_flow_only_grows BEFORE UPDATE ON sponsor_flow
WHEN NEW.payer <> OLD.payer OR NEW.payee <> OLD.payee OR NEW.day <> OLD.day OR NEW.credits < OLD.credits
BEGIN SELECT RAISE(ABORT, 'what was paid stays paid'); END;
CREATE TRIGGER sponsor_flow_stays BEFORE DELETE ON sponsor_flow
BEGIN SELECT RAISE(ABORT, 'what was paid is never deleted'); END;

CREATE TRIGGER sponsor_flow_follows AFTER INSERT ON movement
WHEN NEW.asset IN ('promotional', 'paid') AND NEW.debit_kind IN ('agent', 'locked', 'pool') AND NEW.credit_kind IN ('agent', 'pool')
BEGIN
  INSERT INTO sponsor_flow (payer, payee, day, credits)
  SELECT payer, payee, NEW.created_at / 86400000, NEW.amount FROM (SELECT
    iif(NEW.debit_kind = 'pool', NEW.debit_owner, (SELECT sponsor_seq FROM agent WHERE agent_seq = NEW.debit_owner)) AS payer,
    iif(NEW.credit_kind = 'pool', NEW.credit_owner, (SELECT sponsor_seq FROM agent WHERE agent_seq = NEW.credit_owner)) AS payee)
  WHERE payer <> payee
  ON CONFLICT (payer, payee, day) DO UPDATE SET credits = sponsor_flow.credits + excluded.credits;
END;

-- How far the accepted deliveries were counted for the day: the last agent, and the day that is done.
CREATE TABLE delivery_clock (
  one        INTEGER PRIMARY KEY CHECK (one = 1),
  day        INTEGER NOT NULL CHECK (day >= 0),
  worker_seq INTEGER NOT NULL CHECK (worker_seq >= 0)
) STRICT;

-- The accepted deliveries that count in the window of the reputation clock's day, and the score by which the leaderboard is sorted.
ALTER TABLE agent_standing ADD COLUMN deliveries INTEGER NOT NULL DEFAULT 0 CHECK (deliveries >= 0);
ALTER TABLE agent_standing ADD COLUMN score INTEGER NOT NULL DEFAULT 0 CHECK (score BETWEEN 0 AND 100);
-- 1 until the score is computed again.
ALTER TABLE agent_standing ADD COLUMN stale INTEGER NOT NULL DEFAULT 1 CHECK (stale IN (0, 1));
CREATE INDEX agent_standing_by_score ON agent_standing (listed, score DESC, evidence_count DESC, agent_seq);
CREATE INDEX agent_standing_stale ON agent_standing (agent_seq) WHERE stale = 1;

-- Deliveries to a suspended sponsor do not count, so they are counted again.
CREATE TRIGGER operator_status_changes_deliveries AFTER UPDATE OF account_status ON operator
WHEN NEW.account_status <> OLD.account_status
BEGIN DELETE FROM delivery_clock; END;

-- What an agent without corroboration may count depends on its sponsor.
CREATE TRIGGER operator_plan_changes_scores AFTER UPDATE OF plan ON operator WHEN NEW.plan <> OLD.plan
BEGIN
  UPDATE agent_standing SET stale = 1
  WHERE agent_seq IN (SELECT agent_seq FROM agent WHERE sponsor_seq = NEW.operator_seq);
END;
CREATE TRIGGER agent_sponsor_changes_score AFTER UPDATE OF sponsor_seq ON agent WHEN NEW.sponsor_seq IS NOT OLD.sponsor_seq
BEGIN
  UPDATE agent_standing SET stale = 1 WHERE agent_seq = NEW.agent_seq;
END;
