-- W3C Verifiable Credentials that the service issued, and the lists that say which of them are revoked. No document is stored: the row and
-- the figures that its digest names make the same document again, and Ed25519 signs it the same way each time.

-- A list belongs to one key, which signs it and every credential in it. Its number is part of its URL.
CREATE TABLE status_list (
  list_seq    INTEGER PRIMARY KEY,
  key_seq     INTEGER NOT NULL REFERENCES signing_key (key_seq),
  -- The credentials that were ever in it, also those whose rows were deleted. At most half of the entries, so that a random free one is
  -- found at once, and says nothing about when a credential was issued.
  issued      INTEGER NOT NULL CHECK (issued BETWEEN 0 AND 65536),
  -- The end of the last of them, RFC 3339. Until then the list is served, also after the end of its key.
  valid_until TEXT NOT NULL,
  -- How many of them were revoked, and how many rows were deleted after their end. Without these counts, nothing would show that a
  -- revocation was taken back by hand.
  revoked     INTEGER NOT NULL DEFAULT 0 CHECK (revoked BETWEEN 0 AND issued),
  deleted     INTEGER NOT NULL DEFAULT 0 CHECK (deleted BETWEEN 0 AND issued)
) STRICT;
CREATE INDEX status_list_by_key ON status_list (key_seq);

CREATE TRIGGER status_list_only_grows BEFORE UPDATE ON status_list
WHEN NEW.list_seq <> OLD.list_seq OR NEW.key_seq <> OLD.key_seq OR NEW.issued < OLD.issued OR NEW.valid_until < OLD.valid_until
  OR NEW.revoked < OLD.revoked OR NEW.deleted < OLD.deleted
BEGIN SELECT RAISE(ABORT, 'a status list keeps its key and only grows'); END;
CREATE TRIGGER status_list_stays BEFORE DELETE ON status_list
BEGIN SELECT RAISE(ABORT, 'status lists are never deleted'); END;

CREATE TABLE credential (
  credential_seq          INTEGER PRIMARY KEY,
  -- The UUID in its id.
  credential_id           BLOB NOT NULL UNIQUE CHECK (length(credential_id) = 16),
  type                    TEXT NOT NULL CHECK (length(type) BETWEEN 1 AND 64),
  -- The agent that it is about.
  agent_seq               INTEGER NOT NULL REFERENCES agent (agent_seq),
  list_seq                INTEGER NOT NULL REFERENCES status_list (list_seq),
  list_index              INTEGER NOT NULL CHECK (list_index BETWEEN 0 AND 131071),
  valid_from              TEXT NOT NULL CHECK (length(valid_from) = 24),
  valid_until             TEXT NOT NULL CHECK (length(valid_until) = 24 AND valid_until > valid_from),
  -- SHA-256 of everything in it that is not in this row.
  content_digest          BLOB NOT NULL CHECK (length(content_digest) = 32),
  -- The checkpoints that it cites. They stay as long as this row.
  evidence_checkpoint_seq INTEGER NOT NULL REFERENCES checkpoint (checkpoint_seq),
  receipts_checkpoint_seq INTEGER NOT NULL REFERENCES checkpoint (checkpoint_seq),
  -- SHA-256 of the canonical JSON of the columns above, except the first.
  row_digest              BLOB NOT NULL CHECK (length(row_digest) = 32),
  revoked_at              TEXT,
  revocation_reason       TEXT CHECK (length(revocation_reason) BETWEEN 1 AND 1024),
  UNIQUE (list_seq, list_index),
  CHECK (revocation_reason IS NULL OR revoked_at IS NOT NULL)
) STRICT;
CREATE INDEX credential_by_agent ON credential (agent_seq);
CREATE INDEX credential_by_end ON credential (valid_until) WHERE revoked_at IS NULL;
-- For the deletion of checkpoints.
CREATE INDEX credential_by_evidence_checkpoint ON credential (evidence_checkpoint_seq);
CREATE INDEX credential_by_receipts_checkpoint ON credential (receipts_checkpoint_seq);

CREATE TRIGGER credential_is_revoked_once BEFORE UPDATE ON credential
WHEN OLD.revoked_at IS NOT NULL OR NEW.revoked_at IS NULL
  OR NEW.credential_seq <> OLD.credential_seq OR NEW.credential_id <> OLD.credential_id OR NEW.type <> OLD.type
  OR NEW.agent_seq <> OLD.agent_seq OR NEW.list_seq <> OLD.list_seq OR NEW.list_index <> OLD.list_index
  OR NEW.valid_from <> OLD.valid_from OR NEW.valid_until <> OLD.valid_until OR NEW.content_digest <> OLD.content_digest
  OR NEW.evidence_checkpoint_seq <> OLD.evidence_checkpoint_seq OR NEW.receipts_checkpoint_seq <> OLD.receipts_checkpoint_seq
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
