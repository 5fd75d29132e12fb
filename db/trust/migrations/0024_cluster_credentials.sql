-- Credentials about clusters of a data center beside those about agents. A credential is about one or the other. One about a cluster cites
-- the log of receipts only: its telemetry has receipts, and no evidence of an agent.

CREATE TABLE new_credential (
  credential_seq          INTEGER PRIMARY KEY,
  -- The UUID in its id.
  credential_id           BLOB NOT NULL UNIQUE CHECK (length(credential_id) = 16),
  type                    TEXT NOT NULL CHECK (length(type) BETWEEN 1 AND 64),
  -- The agent that it is about, or the cluster.
  agent_seq               INTEGER REFERENCES agent (agent_seq),
  cluster_seq             INTEGER REFERENCES datacenter_cluster (cluster_seq),
  list_seq                INTEGER NOT NULL REFERENCES status_list (list_seq),
  list_index              INTEGER NOT NULL CHECK (list_index BETWEEN 0 AND 131071),
  valid_from              TEXT NOT NULL CHECK (length(valid_from) = 24),
  valid_until             TEXT NOT NULL CHECK (length(valid_until) = 24 AND valid_until > valid_from),
  -- SHA-256 of everything in it that is not in this row.
  content_digest          BLOB NOT NULL CHECK (length(content_digest) = 32),
  -- The checkpoints that it cites. They stay as long as this row.
  evidence_checkpoint_seq INTEGER REFERENCES checkpoint (checkpoint_seq),
  receipts_checkpoint_seq INTEGER NOT NULL REFERENCES checkpoint (checkpoint_seq),
  -- SHA-256 of the canonical JSON of the columns above, except the first and those that are NULL.
  row_digest              BLOB NOT NULL CHECK (length(row_digest) = 32),
  revoked_at              TEXT,
  revocation_reason       TEXT CHECK (length(revocation_reason) BETWEEN 1 AND 1024),
  UNIQUE (list_seq, list_index),
  CHECK (revocation_reason IS NULL OR revoked_at IS NOT NULL),
  CHECK ((agent_seq IS NULL) <> (cluster_seq IS NULL)),
  CHECK ((agent_seq IS NULL) = (evidence_checkpoint_seq IS NULL))
) STRICT;

INSERT INTO new_credential (
  credential_seq, credential_id, type, agent_seq, list_seq, list_index, valid_from, valid_until, content_digest,
  evidence_checkpoint_seq, receipts_checkpoint_seq, row_digest, revoked_at, revocation_reason
)
SELECT
  credential_seq, credential_id, type, agent_seq, list_seq, list_index, valid_from, valid_until, content_digest,
  evidence_checkpoint_seq, receipts_checkpoint_seq, row_digest, revoked_at, revocation_reason
FROM credential;

DROP TABLE credential;
ALTER TABLE new_credential RENAME TO credential;

CREATE INDEX credential_by_agent ON credential (agent_seq) WHERE agent_seq IS NOT NULL;
CREATE INDEX credential_by_cluster ON credential (cluster_seq) WHERE cluster_seq IS NOT NULL;
CREATE INDEX credential_by_end ON credential (valid_until) WHERE revoked_at IS NULL;
-- For the deletion of checkpoints.
CREATE INDEX credential_by_evidence_checkpoint ON credential (evidence_checkpoint_seq);
CREATE INDEX credential_by_receipts_checkpoint ON credential (receipts_checkpoint_seq);

CREATE TRIGGER credential_is_revoked_once BEFORE UPDATE ON credential
WHEN OLD.revoked_at IS NOT NULL OR NEW.revoked_at IS NULL
  OR NEW.credential_seq <> OLD.credential_seq OR NEW.credential_id <> OLD.credential_id OR NEW.type <> OLD.type
  OR NEW.agent_seq IS NOT OLD.agent_seq OR NEW.cluster_seq IS NOT OLD.cluster_seq
  OR NEW.list_seq <> OLD.list_seq OR NEW.list_index <> OLD.list_index
  OR NEW.valid_from <> OLD.valid_from OR NEW.valid_until <> OLD.valid_until OR NEW.content_digest <> OLD.content_digest
  OR NEW.evidence_checkpoint_seq IS NOT OLD.evidence_checkpoint_seq OR NEW.receipts_checkpoint_seq <> OLD.receipts_checkpoint_seq
  OR NEW.row_digest <> OLD.row_digest
BEGIN SELECT RAISE(ABORT, 'a credential is revoked once and changes in nothing else'); END;
CREATE TRIGGER credential_stays BEFORE DELETE ON credential
WHEN OLD.revoked_at IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'a revoked credential is never deleted'); END;

CREATE TRIGGER credential_revocation_is_counted AFTER UPDATE OF revoked_at ON credential
WHEN OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL
BEGIN UPDATE status_list SET revoked = revoked + 1 WHERE list_seq = NEW.list_seq; END;
CREATE TRIGGER credential_deletion_is_counted AFTER DELETE ON credential
BEGIN UPDATE status_list SET deleted = deleted + 1 WHERE list_seq = OLD.list_seq; END;
