-- Counts of what agents did, from their evidence and from the receipts of their sponsors. Days are days since 1970-01-01 UTC.

-- The totals of an agent, counted as events come and never scanned. The row is made with the agent.
CREATE TABLE agent_standing (
  agent_seq         INTEGER PRIMARY KEY REFERENCES agent (agent_seq),
  -- 0 once the agent is revoked.
  listed            INTEGER NOT NULL CHECK (listed IN (0, 1)),
  evidence_count    INTEGER NOT NULL CHECK (evidence_count >= 0),
  -- Items that the log has, and a restored backup lacks. They count for nothing but the length of the chain.
  lost_count        INTEGER NOT NULL CHECK (lost_count >= 0),
  -- Commits and deliverables.
  artifact_count    INTEGER NOT NULL CHECK (artifact_count >= 0),
  -- Finalized by the sponsor for this agent, and not revoked.
  receipt_count     INTEGER NOT NULL CHECK (receipt_count >= 0),
  -- Of evidence and of receipts that are not revoked.
  failure_count     INTEGER NOT NULL CHECK (failure_count BETWEEN 0 AND evidence_count + receipt_count),
  first_observed_at TEXT,
  last_observed_at  TEXT,
  last_event_hash   BLOB CHECK (length(last_event_hash) = 32),
  reputation        TEXT NOT NULL CHECK (reputation IN ('normal', 'degraded')),
  -- The highest milestone that was reached; 0 before the first.
  milestone         INTEGER NOT NULL CHECK (milestone >= 0),
  CHECK ((evidence_count + lost_count = 0) = (last_event_hash IS NULL)),
  -- Receipts that were revoked since leave the times behind.
  CHECK (evidence_count + receipt_count = 0 OR last_observed_at IS NOT NULL),
  CHECK ((first_observed_at IS NULL) = (last_observed_at IS NULL))
) STRICT;
CREATE INDEX agent_standing_by_volume ON agent_standing (listed, evidence_count DESC, agent_seq);

CREATE TRIGGER agent_standing_stays BEFORE DELETE ON agent_standing
BEGIN SELECT RAISE(ABORT, 'standings are never deleted'); END;
CREATE TRIGGER agent_standing_only_grows BEFORE UPDATE ON agent_standing
WHEN NEW.agent_seq <> OLD.agent_seq OR NEW.evidence_count < OLD.evidence_count
  OR NEW.evidence_count + NEW.lost_count < OLD.evidence_count + OLD.lost_count OR NEW.artifact_count < OLD.artifact_count
  OR NEW.receipt_count < OLD.receipt_count - 1 OR NEW.failure_count < OLD.failure_count - 1
  OR NEW.milestone < OLD.milestone
BEGIN SELECT RAISE(ABORT, 'what was counted stays counted, but for one revoked receipt at a time'); END;

-- Successes and failures of an agent on each day.
CREATE TABLE agent_day (
  agent_seq INTEGER NOT NULL REFERENCES agent (agent_seq),
  day       INTEGER NOT NULL CHECK (day >= 0),
  successes INTEGER NOT NULL CHECK (successes >= 0),
  failures  INTEGER NOT NULL CHECK (failures >= 0),
  PRIMARY KEY (agent_seq, day)
) STRICT, WITHOUT ROWID;
CREATE INDEX agent_day_by_day ON agent_day (day);

-- Which receipts counted for which agent: its sponsor may change, so nothing else tells afterwards. The row stays when the
-- receipt is revoked, and no longer counts.
CREATE TABLE agent_receipt (
  receipt_seq INTEGER PRIMARY KEY REFERENCES receipt (receipt_seq),
  agent_seq   INTEGER NOT NULL REFERENCES agent (agent_seq),
  day         INTEGER NOT NULL CHECK (day >= 0),
  outcome     TEXT NOT NULL CHECK (outcome IN ('success', 'failure', 'neither'))
) STRICT;

CREATE TRIGGER agent_receipt_is_final BEFORE UPDATE ON agent_receipt
BEGIN SELECT RAISE(ABORT, 'counted receipts never change'); END;
CREATE TRIGGER agent_receipt_stays BEFORE DELETE ON agent_receipt
BEGIN SELECT RAISE(ABORT, 'counted receipts are never deleted'); END;

-- The last day after whose end every reputation was computed again, and up to which agent that is done for the next day.
CREATE TABLE reputation_clock (
  one       INTEGER PRIMARY KEY CHECK (one = 1),
  day       INTEGER NOT NULL CHECK (day >= 0),
  agent_seq INTEGER NOT NULL CHECK (agent_seq >= 0)
) STRICT;
