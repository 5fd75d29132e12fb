-- The transparency log: what was finalized, which keys there were, and what was revoked, each in an append-only tree
-- (RFC 6962). Leaves are rows in the order of the tree; what can be computed from them is stored only where computing it
-- again would take long.

-- One row for each origin. One log of each name is open; a closed one ended at its last checkpoint. All logs of a name have the
-- same leaves: the leaf with index 0 has the leaf_seq 1.
CREATE TABLE log (
  log_seq     INTEGER PRIMARY KEY,
  name        TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 32),
  origin      TEXT NOT NULL UNIQUE CHECK (length(origin) BETWEEN 1 AND 255),
  opened_at   TEXT NOT NULL,
  closed_size INTEGER CHECK (closed_size >= 0),
  closed_at   TEXT,
  CHECK ((closed_size IS NULL) = (closed_at IS NULL))
) STRICT;
CREATE UNIQUE INDEX log_open ON log (name) WHERE closed_size IS NULL;

CREATE TRIGGER log_only_closes BEFORE UPDATE ON log
WHEN OLD.closed_size IS NOT NULL OR NEW.closed_size IS NULL OR NEW.log_seq <> OLD.log_seq OR NEW.name <> OLD.name
  OR NEW.origin <> OLD.origin OR NEW.opened_at <> OLD.opened_at
BEGIN SELECT RAISE(ABORT, 'a log only closes, once'); END;
CREATE TRIGGER log_stays BEFORE DELETE ON log
BEGIN SELECT RAISE(ABORT, 'logs are never deleted'); END;

-- The entry of a leaf is made again from the signed version that the leaf names. Only a leaf that was recovered from a copy of the
-- log, and whose version was not, has its entry here.
CREATE TABLE receipt_leaf (
  leaf_seq    INTEGER PRIMARY KEY,
  receipt_seq INTEGER UNIQUE,
  version     INTEGER,
  leaf_hash   BLOB NOT NULL CHECK (length(leaf_hash) = 32),
  entry       TEXT,
  FOREIGN KEY (receipt_seq, version) REFERENCES receipt_version (receipt_seq, version),
  CHECK ((version IS NULL) = (entry IS NOT NULL)),
  CHECK (version IS NULL OR receipt_seq IS NOT NULL)
) STRICT;

-- A revoked receipt, like above; or a revoked agent, whose leaf always has its entry. A leaf that was recovered from a copy of the log
-- has the commitment of its agent where the database lacks the agent, so that it cannot enroll again.
CREATE TABLE revocation_leaf (
  leaf_seq    INTEGER PRIMARY KEY,
  receipt_seq INTEGER UNIQUE,
  version     INTEGER,
  leaf_hash   BLOB NOT NULL CHECK (length(leaf_hash) = 32),
  entry       TEXT,
  agent_seq   INTEGER UNIQUE REFERENCES agent (agent_seq),
  lost_agent  BLOB CHECK (length(lost_agent) = 32),
  FOREIGN KEY (receipt_seq, version) REFERENCES receipt_version (receipt_seq, version),
  CHECK ((version IS NULL) = (entry IS NOT NULL)),
  CHECK (version IS NULL OR receipt_seq IS NOT NULL),
  CHECK ((receipt_seq IS NOT NULL) + (agent_seq IS NOT NULL) + (lost_agent IS NOT NULL) <= 1)
) STRICT;
CREATE INDEX revocation_leaf_lost_agent ON revocation_leaf (lost_agent) WHERE lost_agent IS NOT NULL;

CREATE TABLE key_leaf (
  leaf_seq  INTEGER PRIMARY KEY,
  key_seq   INTEGER NOT NULL REFERENCES signing_key (key_seq),
  event     TEXT NOT NULL CHECK (length(event) BETWEEN 1 AND 32),
  leaf_hash BLOB NOT NULL CHECK (length(leaf_hash) = 32),
  entry     TEXT NOT NULL
) STRICT;

CREATE TRIGGER receipt_leaf_follows AFTER INSERT ON receipt_leaf
WHEN NEW.leaf_seq <> 1 AND NOT EXISTS (SELECT 1 FROM receipt_leaf WHERE leaf_seq = NEW.leaf_seq - 1)
BEGIN SELECT RAISE(ABORT, 'leaves follow one another'); END;
CREATE TRIGGER receipt_leaf_is_final BEFORE UPDATE ON receipt_leaf
BEGIN SELECT RAISE(ABORT, 'leaves never change'); END;
CREATE TRIGGER receipt_leaf_stays BEFORE DELETE ON receipt_leaf
BEGIN SELECT RAISE(ABORT, 'leaves are never deleted'); END;

CREATE TRIGGER revocation_leaf_follows AFTER INSERT ON revocation_leaf
WHEN NEW.leaf_seq <> 1 AND NOT EXISTS (SELECT 1 FROM revocation_leaf WHERE leaf_seq = NEW.leaf_seq - 1)
BEGIN SELECT RAISE(ABORT, 'leaves follow one another'); END;
CREATE TRIGGER revocation_leaf_is_final BEFORE UPDATE ON revocation_leaf
BEGIN SELECT RAISE(ABORT, 'leaves never change'); END;
CREATE TRIGGER revocation_leaf_stays BEFORE DELETE ON revocation_leaf
BEGIN SELECT RAISE(ABORT, 'leaves are never deleted'); END;

CREATE TRIGGER key_leaf_follows AFTER INSERT ON key_leaf
WHEN NEW.leaf_seq <> 1 AND NOT EXISTS (SELECT 1 FROM key_leaf WHERE leaf_seq = NEW.leaf_seq - 1)
BEGIN SELECT RAISE(ABORT, 'leaves follow one another'); END;
CREATE TRIGGER key_leaf_is_final BEFORE UPDATE ON key_leaf
BEGIN SELECT RAISE(ABORT, 'leaves never change'); END;
CREATE TRIGGER key_leaf_stays BEFORE DELETE ON key_leaf
BEGIN SELECT RAISE(ABORT, 'leaves are never deleted'); END;

-- What lies above 256 neighbours, written with the last of them: their root, and the seven levels between. The
-- neighbours of level 0 are leaves, those of a level above are the roots of 256 full tiles each. The root stands first,
-- where it is read without the rest.
CREATE TABLE log_tile (
  tile_seq   INTEGER PRIMARY KEY,
  name       TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 32),
  level      INTEGER NOT NULL CHECK (level BETWEEN 0 AND 7),
  tile_index INTEGER NOT NULL CHECK (tile_index >= 0),
  root       BLOB NOT NULL CHECK (length(root) = 32),
  -- 128 hashes of two neighbours each, 64 of four, and so on to two of 128.
  nodes      BLOB NOT NULL CHECK (length(nodes) = 8128),
  UNIQUE (name, level, tile_index)
) STRICT;
CREATE TRIGGER log_tile_is_final BEFORE UPDATE ON log_tile
BEGIN SELECT RAISE(ABORT, 'tiles never change'); END;
CREATE TRIGGER log_tile_stays BEFORE DELETE ON log_tile
BEGIN SELECT RAISE(ABORT, 'tiles are never deleted'); END;

-- The published checkpoints. Of those older than an hour, most are deleted (src/trust/log/checkpoints/thinning.ts).
-- A later table that cites checkpoints references checkpoint_seq, so that they cannot be deleted, and thinning leaves them out.
CREATE TABLE checkpoint (
  checkpoint_seq INTEGER PRIMARY KEY,
  checkpoint_id  BLOB NOT NULL CHECK (length(checkpoint_id) = 16),
  log_seq        INTEGER NOT NULL REFERENCES log (log_seq),
  -- The checkpoint before it, as published. It may have been deleted since. NULL for the first of a log.
  previous_id    BLOB CHECK (length(previous_id) = 16),
  previous_size  INTEGER CHECK (previous_size BETWEEN 0 AND tree_size),
  tree_size      INTEGER NOT NULL CHECK (tree_size >= 0),
  root_hash      BLOB NOT NULL CHECK (length(root_hash) = 32),
  issued_at      TEXT NOT NULL CHECK (length(issued_at) = 24),
  key_seq        INTEGER NOT NULL REFERENCES signing_key (key_seq),
  signature      BLOB NOT NULL CHECK (length(signature) = 64),
  note           TEXT NOT NULL,
  CHECK ((previous_id IS NULL) = (previous_size IS NULL))
) STRICT;
CREATE INDEX checkpoint_by_size ON checkpoint (log_seq, tree_size);
CREATE INDEX checkpoint_by_time ON checkpoint (log_seq, issued_at);

CREATE TRIGGER checkpoint_follows BEFORE INSERT ON checkpoint
WHEN NEW.previous_id IS NOT (
    SELECT checkpoint_id FROM checkpoint WHERE log_seq = NEW.log_seq
    ORDER BY tree_size DESC, checkpoint_seq DESC LIMIT 1
  )
  OR EXISTS (
    SELECT 1 FROM checkpoint WHERE checkpoint_seq = (
        SELECT checkpoint_seq FROM checkpoint WHERE log_seq = NEW.log_seq
        ORDER BY tree_size DESC, checkpoint_seq DESC LIMIT 1
      )
      AND (tree_size <> NEW.previous_size OR issued_at > NEW.issued_at
        OR (tree_size = NEW.tree_size AND root_hash <> NEW.root_hash))
  )
BEGIN SELECT RAISE(ABORT, 'a checkpoint follows the one before it'); END;
CREATE TRIGGER checkpoint_is_final BEFORE UPDATE ON checkpoint
BEGIN SELECT RAISE(ABORT, 'checkpoints never change'); END;
-- One of each 10 minutes stays, and all of the hour before the newest of the log. The times differ in the digits of their minutes and
-- seconds only, so that ':' is greater than each of those in the same 10 minutes.
CREATE TRIGGER checkpoint_stays BEFORE DELETE ON checkpoint
WHEN NOT EXISTS (
    SELECT 1 FROM checkpoint WHERE log_seq = OLD.log_seq
      AND issued_at BETWEEN OLD.issued_at AND substr(OLD.issued_at, 1, 15) || ':' AND checkpoint_seq > OLD.checkpoint_seq
  )
  OR NOT EXISTS (
    SELECT 1 FROM checkpoint WHERE log_seq = OLD.log_seq
      AND issued_at >= strftime('%Y-%m-%dT%H:%M:%fZ', OLD.issued_at, '+1 hour')
  )
BEGIN SELECT RAISE(ABORT, 'a checkpoint is deleted only when it is an hour older than the newest and another of its 10 minutes stays'); END;

-- Cosignatures that witnesses gave to a checkpoint after it was published: lines that belong below its note.

CREATE TABLE checkpoint_cosignature (
  cosignature_seq INTEGER PRIMARY KEY,
  checkpoint_seq  INTEGER NOT NULL REFERENCES checkpoint (checkpoint_seq) ON DELETE CASCADE,
  -- The name and the id of the key, as in the line.
  witness         TEXT NOT NULL CHECK (length(witness) >= 1),
  key_id          INTEGER NOT NULL CHECK (key_id BETWEEN 0 AND 4294967295),
  line            TEXT NOT NULL,
  cosigned_at     TEXT NOT NULL,
  UNIQUE (checkpoint_seq, witness, key_id)
) STRICT;
CREATE TRIGGER checkpoint_cosignature_is_final BEFORE UPDATE ON checkpoint_cosignature
BEGIN SELECT RAISE(ABORT, 'cosignatures never change'); END;
CREATE TRIGGER checkpoint_cosignature_stays BEFORE DELETE ON checkpoint_cosignature
WHEN EXISTS (SELECT 1 FROM checkpoint WHERE checkpoint_seq = OLD.checkpoint_seq)
BEGIN SELECT RAISE(ABORT, 'cosignatures are deleted only with their checkpoint'); END;
