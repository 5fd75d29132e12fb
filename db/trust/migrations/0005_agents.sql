-- Agents that proved possession of their keys, what they signed about their work, what is counted of it, and who is told.

-- A challenge that waits for its proof. A consumed one is deleted; an expired one stays for a while, so that whoever comes
-- late is told so.
CREATE TABLE challenge (
  challenge_seq      INTEGER PRIMARY KEY,
  kind               TEXT NOT NULL CHECK (kind IN ('enrollment', 'autonomous')),
  nonce              TEXT NOT NULL UNIQUE CHECK (nonce GLOB 'chal_*' AND length(nonce) = 48),
  public_key         BLOB NOT NULL CHECK (length(public_key) = 32),
  -- Of an autonomous challenge they come with its proof.
  subject_commitment BLOB CHECK (length(subject_commitment) = 32),
  context            TEXT CHECK (length(context) BETWEEN 1 AND 128),
  name               TEXT CHECK (length(name) BETWEEN 1 AND 256),
  sponsor_seq        INTEGER REFERENCES operator (operator_seq),
  -- Leading zero hexadecimal digits.
  pow_difficulty     INTEGER CHECK (pow_difficulty BETWEEN 0 AND 64),
  created_at         TEXT NOT NULL,
  expires_at         TEXT NOT NULL,
  CHECK ((kind = 'enrollment') = (subject_commitment IS NOT NULL)),
  CHECK ((kind = 'enrollment') = (context IS NOT NULL)),
  CHECK ((kind = 'autonomous') = (pow_difficulty IS NOT NULL))
) STRICT;
CREATE INDEX challenge_by_commitment ON challenge (subject_commitment) WHERE subject_commitment IS NOT NULL;
CREATE INDEX challenge_by_expiry ON challenge (expires_at);

CREATE TABLE agent (
  agent_seq          INTEGER PRIMARY KEY,
  subject_commitment BLOB NOT NULL UNIQUE CHECK (length(subject_commitment) = 32),
  public_key         BLOB NOT NULL CHECK (length(public_key) = 32),
  context            TEXT NOT NULL CHECK (length(context) BETWEEN 1 AND 128),
  name               TEXT CHECK (length(name) BETWEEN 1 AND 256),
  passport_id        BLOB NOT NULL UNIQUE CHECK (length(passport_id) = 16),
  state              TEXT NOT NULL CHECK (state IN ('ISSUED', 'REVOKED')),
  -- Null: stewarded by admin keys.
  sponsor_seq        INTEGER REFERENCES operator (operator_seq),
  issued_at          TEXT NOT NULL,
  revoked_at         TEXT,
  revocation_reason  TEXT CHECK (length(revocation_reason) BETWEEN 1 AND 1024),
  CHECK ((state = 'REVOKED') = (revoked_at IS NOT NULL)),
  CHECK (revocation_reason IS NULL OR state = 'REVOKED')
) STRICT;
CREATE INDEX agent_by_sponsor ON agent (sponsor_seq) WHERE sponsor_seq IS NOT NULL;

CREATE TRIGGER agent_moves_forward BEFORE UPDATE ON agent
WHEN NEW.agent_seq <> OLD.agent_seq OR NEW.subject_commitment <> OLD.subject_commitment
  OR NEW.public_key <> OLD.public_key OR NEW.context <> OLD.context OR NEW.passport_id <> OLD.passport_id
  OR NEW.issued_at <> OLD.issued_at
  OR (OLD.state = 'REVOKED' AND (NEW.state <> 'REVOKED' OR NEW.revoked_at <> OLD.revoked_at
    OR NEW.revocation_reason IS NOT OLD.revocation_reason))
BEGIN SELECT RAISE(ABORT, 'an enrollment only moves forward'); END;
CREATE TRIGGER agent_stays BEFORE DELETE ON agent
BEGIN SELECT RAISE(ABORT, 'agents are never deleted'); END;

-- Every photo reference that an agent ever signed, a cleared one with nulls. The newest holds.
CREATE TABLE presentation (
  presentation_seq INTEGER PRIMARY KEY,
  agent_seq        INTEGER NOT NULL REFERENCES agent (agent_seq),
  photo_url        TEXT CHECK (length(photo_url) BETWEEN 1 AND 2048),
  photo_sha256     BLOB CHECK (length(photo_sha256) = 32),
  photo_mime_type  TEXT CHECK (photo_mime_type IN ('image/png', 'image/jpeg', 'image/webp', 'image/gif')),
  signature        BLOB NOT NULL CHECK (length(signature) = 64),
  reading          TEXT NOT NULL CHECK (reading IN ('digest', 'raw', 'shallow')),
  created_at       TEXT NOT NULL,
  CHECK ((photo_url IS NULL) = (photo_sha256 IS NULL) AND (photo_url IS NULL) = (photo_mime_type IS NULL))
) STRICT;
CREATE INDEX presentation_by_agent ON presentation (agent_seq);
CREATE TRIGGER presentation_is_final BEFORE UPDATE ON presentation
BEGIN SELECT RAISE(ABORT, 'presentations never change'); END;
CREATE TRIGGER presentation_stays BEFORE DELETE ON presentation
BEGIN SELECT RAISE(ABORT, 'presentations are never deleted'); END;

-- What an agent authorized once must not be authorized by the same words again. Kept until it would have expired anyway.
CREATE TABLE agent_nonce (
  agent_seq  INTEGER NOT NULL REFERENCES agent (agent_seq),
  nonce      TEXT NOT NULL CHECK (length(nonce) BETWEEN 16 AND 64),
  expires_at TEXT NOT NULL,
  PRIMARY KEY (agent_seq, nonce)
) STRICT, WITHOUT ROWID;
CREATE INDEX agent_nonce_by_expiry ON agent_nonce (expires_at);

-- What agents signed about their work: a hash chain an agent, in the order of `position`.
CREATE TABLE evidence (
  evidence_seq    INTEGER PRIMARY KEY,
  agent_seq       INTEGER NOT NULL REFERENCES agent (agent_seq),
  position        INTEGER NOT NULL CHECK (position >= 1),
  source_type     TEXT NOT NULL CHECK (source_type IN ('github_push_webhook', 'github_commit_payload',
    'github_issue_event', 'compliance_report', 'otel_genai_trace', 'task_deliverable')),
  payload_digest  BLOB NOT NULL CHECK (length(payload_digest) = 32),
  event_hash      BLOB NOT NULL CHECK (length(event_hash) = 32),
  prev_event_hash BLOB CHECK (length(prev_event_hash) = 32),
  signature       BLOB NOT NULL CHECK (length(signature) = 64),
  reading         TEXT NOT NULL CHECK (reading IN ('digest', 'raw', 'shallow')),
  outcome         TEXT NOT NULL CHECK (outcome IN ('success', 'failure')),
  -- Who brought it; null for the service itself.
  operator_seq    INTEGER REFERENCES operator (operator_seq),
  created_at      TEXT NOT NULL,
  -- Compressed. The last column: SQLite would read all of a large one to get at what stands behind it.
  payload         BLOB NOT NULL,
  CHECK ((position = 1) = (prev_event_hash IS NULL))
) STRICT;
CREATE UNIQUE INDEX evidence_by_agent ON evidence (agent_seq, position);
CREATE INDEX evidence_by_type ON evidence (agent_seq, source_type, position);

CREATE TRIGGER evidence_follows BEFORE INSERT ON evidence
WHEN NEW.position <> 1 AND NOT EXISTS (
  SELECT 1 FROM evidence WHERE agent_seq = NEW.agent_seq AND position = NEW.position - 1
    AND event_hash = NEW.prev_event_hash
)
BEGIN SELECT RAISE(ABORT, 'evidence follows the one before it'); END;
CREATE TRIGGER evidence_is_final BEFORE UPDATE ON evidence
BEGIN SELECT RAISE(ABORT, 'evidence never changes'); END;
CREATE TRIGGER evidence_stays BEFORE DELETE ON evidence
BEGIN SELECT RAISE(ABORT, 'evidence is never deleted'); END;

-- By what an agent's evidence is found: the first 48 bits of its payload's digest, of its own hash and of every commit in it.
-- What is found is compared in full.
CREATE TABLE evidence_mark (
  agent_seq    INTEGER NOT NULL REFERENCES agent (agent_seq),
  mark         INTEGER NOT NULL CHECK (mark BETWEEN 0 AND 281474976710655),
  evidence_seq INTEGER NOT NULL REFERENCES evidence (evidence_seq),
  PRIMARY KEY (agent_seq, mark, evidence_seq)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER evidence_mark_is_final BEFORE UPDATE ON evidence_mark
BEGIN SELECT RAISE(ABORT, 'marks never change'); END;
CREATE TRIGGER evidence_mark_stays BEFORE DELETE ON evidence_mark
BEGIN SELECT RAISE(ABORT, 'marks are never deleted'); END;

-- What is known of an agent's work, counted as it comes and never scanned. Made with the agent.
CREATE TABLE agent_standing (
  agent_seq         INTEGER PRIMARY KEY REFERENCES agent (agent_seq),
  -- 0 once the agent is revoked.
  listed            INTEGER NOT NULL CHECK (listed IN (0, 1)),
  evidence_count    INTEGER NOT NULL CHECK (evidence_count >= 0),
  -- Commits and deliverables.
  artifact_count    INTEGER NOT NULL CHECK (artifact_count >= 0),
  -- Finalized by the sponsor for this agent.
  receipt_count     INTEGER NOT NULL CHECK (receipt_count >= 0),
  -- Of evidence and receipts.
  failure_count     INTEGER NOT NULL CHECK (failure_count BETWEEN 0 AND evidence_count + receipt_count),
  first_observed_at TEXT,
  last_observed_at  TEXT,
  last_event_hash   BLOB CHECK (length(last_event_hash) = 32),
  reputation        TEXT NOT NULL CHECK (reputation IN ('normal', 'degraded')),
  milestone         INTEGER NOT NULL CHECK (milestone IN (0, 100, 500, 1000)),
  CHECK ((evidence_count = 0) = (last_event_hash IS NULL)),
  CHECK ((evidence_count + receipt_count = 0) = (last_observed_at IS NULL)),
  CHECK ((first_observed_at IS NULL) = (last_observed_at IS NULL))
) STRICT;
CREATE INDEX agent_standing_by_volume ON agent_standing (listed, evidence_count DESC, agent_seq);

CREATE TRIGGER agent_standing_stays BEFORE DELETE ON agent_standing
BEGIN SELECT RAISE(ABORT, 'standings are never deleted'); END;
CREATE TRIGGER agent_standing_only_grows BEFORE UPDATE ON agent_standing
WHEN NEW.agent_seq <> OLD.agent_seq OR NEW.evidence_count < OLD.evidence_count OR NEW.artifact_count < OLD.artifact_count
  OR NEW.receipt_count < OLD.receipt_count OR NEW.failure_count < OLD.failure_count OR NEW.milestone < OLD.milestone
BEGIN SELECT RAISE(ABORT, 'what was counted stays counted'); END;

-- How an agent's days ended: days since 1970-01-01 UTC.
CREATE TABLE agent_day (
  agent_seq INTEGER NOT NULL REFERENCES agent (agent_seq),
  day       INTEGER NOT NULL CHECK (day >= 0),
  successes INTEGER NOT NULL CHECK (successes >= 0),
  failures  INTEGER NOT NULL CHECK (failures >= 0),
  PRIMARY KEY (agent_seq, day)
) STRICT, WITHOUT ROWID;
CREATE INDEX agent_day_by_day ON agent_day (day);

-- Up to which day everybody's reputation was looked at after the day ended, and how far on the next.
CREATE TABLE reputation_clock (
  one       INTEGER PRIMARY KEY CHECK (one = 1),
  day       INTEGER NOT NULL CHECK (day >= 0),
  agent_seq INTEGER NOT NULL CHECK (agent_seq >= 0)
) STRICT;

-- Who is told of events. Both secrets are sealed under the master key.
CREATE TABLE webhook (
  webhook_seq    INTEGER PRIMARY KEY,
  webhook_id     BLOB NOT NULL UNIQUE CHECK (length(webhook_id) = 16),
  operator_seq   INTEGER NOT NULL REFERENCES operator (operator_seq),
  url            TEXT NOT NULL CHECK (length(url) BETWEEN 1 AND 2048),
  events         TEXT NOT NULL CHECK (json_array_length(events) >= 1),
  -- Also of agents and evidence that the operator has nothing to do with.
  every_agent    INTEGER NOT NULL CHECK (every_agent IN (0, 1)),
  secret         TEXT NOT NULL,
  signing_secret TEXT NOT NULL,
  created_at     TEXT NOT NULL
) STRICT;
CREATE INDEX webhook_by_operator ON webhook (operator_seq);

-- How deliveries ended: the newest 100 of each.
CREATE TABLE webhook_delivery (
  delivery_seq INTEGER PRIMARY KEY,
  delivery_id  BLOB NOT NULL CHECK (length(delivery_id) = 16),
  webhook_seq  INTEGER NOT NULL REFERENCES webhook (webhook_seq) ON DELETE CASCADE,
  event        TEXT NOT NULL,
  created_at   TEXT NOT NULL,
  -- Null when nothing was sent.
  ended_at     TEXT,
  status       INTEGER CHECK (status BETWEEN 100 AND 999),
  error        TEXT,
  CHECK (status IS NOT NULL OR error IS NOT NULL)
) STRICT;
CREATE INDEX webhook_delivery_by_webhook ON webhook_delivery (webhook_seq);
