-- Evidence is found by whole hashes, and a receipt that is revoked is taken out of what was counted.

-- A mark was the first 48 bits of a hash. A signer chooses the commits of a payload, so many items could share one mark, and
-- a read had to decode the payload of each. An index on the whole hash finds one item.
DROP TABLE evidence_mark;
CREATE UNIQUE INDEX evidence_by_event_hash ON evidence (agent_seq, event_hash);
CREATE INDEX evidence_by_payload ON evidence (agent_seq, payload_digest);

-- Each commit of each item, by its full SHA-1 or SHA-256.
CREATE TABLE evidence_commit (
  agent_seq    INTEGER NOT NULL REFERENCES agent (agent_seq),
  commit_id    BLOB NOT NULL CHECK (length(commit_id) IN (20, 32)),
  evidence_seq INTEGER NOT NULL REFERENCES evidence (evidence_seq),
  PRIMARY KEY (agent_seq, commit_id, evidence_seq)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER evidence_commit_is_final BEFORE UPDATE ON evidence_commit
BEGIN SELECT RAISE(ABORT, 'indexed commits never change'); END;
CREATE TRIGGER evidence_commit_stays BEFORE DELETE ON evidence_commit
BEGIN SELECT RAISE(ABORT, 'indexed commits are never deleted'); END;

-- Items whose commits are not indexed yet. Payloads are compressed, so the program reads them at its next start, which
-- empties this table.
CREATE TABLE evidence_unindexed (
  evidence_seq INTEGER PRIMARY KEY REFERENCES evidence (evidence_seq)
) STRICT;
INSERT INTO evidence_unindexed
SELECT evidence_seq FROM evidence WHERE source_type IN ('github_push_webhook', 'github_commit_payload');

-- What the gate weighs: every finalized receipt that is not revoked. A list of the newest 20 could not be filled up again
-- when one of them is revoked.
DROP TABLE gate_standing;
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
INSERT INTO gate_finalization
SELECT r.operator_seq, r.domain, r.domain_commitment IS NOT NULL,
  CAST(round(unixepoch(v.signed_at, 'subsec') * 1000) AS INTEGER), r.receipt_seq, v.error_tranche = 'SLA_BREACH'
FROM receipt r JOIN receipt_version v ON v.receipt_seq = r.receipt_seq AND v.version = r.version
WHERE r.status <> 'pending' AND r.revocation_status = 'active';
CREATE TRIGGER gate_finalization_is_final BEFORE UPDATE ON gate_finalization
BEGIN SELECT RAISE(ABORT, 'finalizations never change'); END;
CREATE TRIGGER gate_finalization_stays BEFORE DELETE ON gate_finalization
WHEN EXISTS (SELECT 1 FROM receipt WHERE receipt_seq = OLD.receipt_seq AND revocation_status = 'active')
BEGIN SELECT RAISE(ABORT, 'finalizations count until the receipt is revoked'); END;

-- Which receipts counted for which agent: its sponsor may change, so nothing else says so afterwards. The row stays when the
-- receipt is revoked, and no longer counts.
CREATE TABLE agent_receipt (
  receipt_seq INTEGER PRIMARY KEY REFERENCES receipt (receipt_seq),
  agent_seq   INTEGER NOT NULL REFERENCES agent (agent_seq),
  -- Days since 1970-01-01 UTC.
  day         INTEGER NOT NULL CHECK (day >= 0),
  outcome     TEXT NOT NULL CHECK (outcome IN ('success', 'failure', 'neither'))
) STRICT;
CREATE TRIGGER agent_receipt_is_final BEFORE UPDATE ON agent_receipt
BEGIN SELECT RAISE(ABORT, 'counted receipts never change'); END;
CREATE TRIGGER agent_receipt_stays BEFORE DELETE ON agent_receipt
BEGIN SELECT RAISE(ABORT, 'counted receipts are never deleted'); END;
INSERT INTO agent_receipt
SELECT r.receipt_seq, a.agent_seq, unixepoch(v.signed_at) / 86400,
  CASE
    WHEN v.error_tranche <> 'NONE' OR v.status IN ('failure_tombstone', 'timeout') THEN 'failure'
    WHEN v.status = 'success' THEN 'success'
    ELSE 'neither'
  END
FROM agent a
JOIN receipt r ON r.operator_seq = a.sponsor_seq AND r.agent_id = lower(hex(a.subject_commitment))
JOIN receipt_version v ON v.receipt_seq = r.receipt_seq AND v.version = 2
WHERE v.status <> 'pending' AND v.signed_at >= a.issued_at AND (a.revoked_at IS NULL OR v.signed_at < a.revoked_at);

-- Everything is counted anew, since fewer statuses count as failures than before.
DELETE FROM agent_day;
INSERT INTO agent_day
SELECT agent_seq, day, sum(outcome = 'success'), sum(outcome = 'failure')
FROM (
  SELECT agent_seq, unixepoch(created_at) / 86400 AS day, outcome FROM evidence
  UNION ALL
  SELECT c.agent_seq, c.day, c.outcome FROM agent_receipt c JOIN receipt r USING (receipt_seq)
  WHERE c.outcome <> 'neither' AND r.revocation_status = 'active'
)
GROUP BY 1, 2;

CREATE TABLE agent_standing_now (
  agent_seq         INTEGER PRIMARY KEY REFERENCES agent (agent_seq),
  -- 0 once the agent is revoked.
  listed            INTEGER NOT NULL CHECK (listed IN (0, 1)),
  evidence_count    INTEGER NOT NULL CHECK (evidence_count >= 0),
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
  milestone         INTEGER NOT NULL CHECK (milestone IN (0, 100, 500, 1000)),
  CHECK ((evidence_count = 0) = (last_event_hash IS NULL)),
  -- Receipts that were revoked since leave the times behind.
  CHECK (evidence_count + receipt_count = 0 OR last_observed_at IS NOT NULL),
  CHECK ((first_observed_at IS NULL) = (last_observed_at IS NULL))
) STRICT;
INSERT INTO agent_standing_now
SELECT s.agent_seq, s.listed, s.evidence_count, s.artifact_count, coalesce(c.receipts, 0), coalesce(d.failures, 0),
  coalesce(s.first_observed_at, c.first_day), coalesce(s.last_observed_at, c.first_day), s.last_event_hash, s.reputation,
  s.milestone
FROM agent_standing s
LEFT JOIN (SELECT agent_seq, sum(failures) AS failures FROM agent_day GROUP BY 1) d USING (agent_seq)
LEFT JOIN (
  SELECT c.agent_seq, count(*) AS receipts, strftime('%Y-%m-%dT00:00:00.000Z', min(c.day) * 86400, 'unixepoch') AS first_day
  FROM agent_receipt c JOIN receipt r USING (receipt_seq) WHERE r.revocation_status = 'active' GROUP BY 1
) c USING (agent_seq);
DROP TABLE agent_standing;
ALTER TABLE agent_standing_now RENAME TO agent_standing;
CREATE INDEX agent_standing_by_volume ON agent_standing (listed, evidence_count DESC, agent_seq);

CREATE TRIGGER agent_standing_stays BEFORE DELETE ON agent_standing
BEGIN SELECT RAISE(ABORT, 'standings are never deleted'); END;
CREATE TRIGGER agent_standing_only_grows BEFORE UPDATE ON agent_standing
WHEN NEW.agent_seq <> OLD.agent_seq OR NEW.evidence_count < OLD.evidence_count OR NEW.artifact_count < OLD.artifact_count
  OR NEW.receipt_count < OLD.receipt_count - 1 OR NEW.failure_count < OLD.failure_count - 1
  OR NEW.milestone < OLD.milestone
BEGIN SELECT RAISE(ABORT, 'what was counted stays counted, but for one revoked receipt at a time'); END;
