-- What agents signed about their work: a hash chain for each agent, in the order of `position`.

-- The leaves of the log of evidence. The entry of a leaf is computed from the item with this number. Only a leaf that was recovered
-- from a copy of the log has its entry here.
CREATE TABLE evidence_leaf (
  leaf_seq  INTEGER PRIMARY KEY,
  leaf_hash BLOB NOT NULL CHECK (length(leaf_hash) = 32),
  entry     TEXT
) STRICT;
CREATE TRIGGER evidence_leaf_follows AFTER INSERT ON evidence_leaf
WHEN NEW.leaf_seq <> 1 AND NOT EXISTS (SELECT 1 FROM evidence_leaf WHERE leaf_seq = NEW.leaf_seq - 1)
BEGIN SELECT RAISE(ABORT, 'leaves follow one another'); END;
CREATE TRIGGER evidence_leaf_is_final BEFORE UPDATE ON evidence_leaf
BEGIN SELECT RAISE(ABORT, 'leaves never change'); END;
CREATE TRIGGER evidence_leaf_stays BEFORE DELETE ON evidence_leaf
BEGIN SELECT RAISE(ABORT, 'leaves are never deleted'); END;

-- Items that a restored backup lacks, as a copy of the log has them: without payload and signature. They keep their positions in the
-- chain of their agent, which the database may not know. The row stays when the item is sent again.
CREATE TABLE lost_evidence (
  leaf_seq           INTEGER PRIMARY KEY REFERENCES evidence_leaf (leaf_seq),
  subject_commitment BLOB NOT NULL CHECK (length(subject_commitment) = 32),
  position           INTEGER NOT NULL CHECK (position >= 1),
  source_type        TEXT NOT NULL CHECK (length(source_type) BETWEEN 1 AND 64),
  payload_digest     BLOB NOT NULL CHECK (length(payload_digest) = 32),
  event_hash         BLOB NOT NULL CHECK (length(event_hash) = 32),
  prev_event_hash    BLOB CHECK (length(prev_event_hash) = 32),
  anchored_at        TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX lost_evidence_by_agent ON lost_evidence (subject_commitment, position);
CREATE INDEX lost_evidence_by_event_hash ON lost_evidence (event_hash);
-- Any number of agents can sign the same payload.
CREATE INDEX lost_evidence_by_payload ON lost_evidence (payload_digest, subject_commitment);
CREATE TRIGGER lost_evidence_is_final BEFORE UPDATE ON lost_evidence
BEGIN SELECT RAISE(ABORT, 'lost evidence never changes'); END;
CREATE TRIGGER lost_evidence_stays BEFORE DELETE ON lost_evidence
BEGIN SELECT RAISE(ABORT, 'lost evidence is never deleted'); END;

CREATE TABLE evidence (
  evidence_seq    INTEGER PRIMARY KEY REFERENCES evidence_leaf (leaf_seq),
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
) AND NOT EXISTS (
  SELECT 1 FROM lost_evidence WHERE position = NEW.position - 1 AND event_hash = NEW.prev_event_hash
    AND subject_commitment = (SELECT subject_commitment FROM agent WHERE agent_seq = NEW.agent_seq)
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
