-- What agents signed about their work: a hash chain for each agent, in the order of `position`.

CREATE TABLE evidence (
  evidence_seq    INTEGER PRIMARY KEY,
  agent_seq       INTEGER NOT NULL REFERENCES agent (agent_seq),
  position        INTEGER NOT NULL CHECK (position >= 1),
  source_type     TEXT NOT NULL CHECK (length(source_type) BETWEEN 1 AND 64),
  payload_digest  BLOB NOT NULL CHECK (length(payload_digest) = 32),
  event_hash      BLOB NOT NULL CHECK (length(event_hash) = 32),
  prev_event_hash BLOB CHECK (length(prev_event_hash) = 32),
  signature       BLOB NOT NULL CHECK (length(signature) = 64),
  -- What the signature is over.
  reading         TEXT NOT NULL CHECK (length(reading) BETWEEN 1 AND 32),
  outcome         TEXT NOT NULL CHECK (outcome IN ('success', 'failure')),
  -- The operator whose key sent it; null for the service itself.
  operator_seq    INTEGER REFERENCES operator (operator_seq),
  created_at      TEXT NOT NULL,
  -- Compressed. The last column: SQLite would read all of a large one to get at the columns behind it.
  payload         BLOB NOT NULL,
  CHECK ((position = 1) = (prev_event_hash IS NULL))
) STRICT;
CREATE UNIQUE INDEX evidence_by_agent ON evidence (agent_seq, position);
CREATE INDEX evidence_by_type ON evidence (agent_seq, source_type, position);
-- Whole hashes: a signer chooses the commits of a payload, so many items could share a part of a hash.
CREATE UNIQUE INDEX evidence_by_event_hash ON evidence (agent_seq, event_hash);
CREATE INDEX evidence_by_payload ON evidence (agent_seq, payload_digest);

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
