-- The trees of the heads of journals: one for each leaf of the log of accounts that has their root. A tree is built in rounds, so that the
-- last one, in the transaction of the leaf, is short. A round has the heads of the journals with an entry since the round before it, in
-- the order of their accounts.

CREATE TABLE journal_tree (
  tree_seq INTEGER PRIMARY KEY,
  -- The salts of its leaves are made with it, so that nobody finds a sibling by trying.
  salt_key BLOB NOT NULL CHECK (length(salt_key) = 32),
  -- Null while it is built, and where no journal grew.
  leaf_seq INTEGER UNIQUE REFERENCES account_leaf (leaf_seq),
  -- The number of the newest movement of each round, as JSON: [812,815]. Null while it is built; what a killed process leaves is deleted.
  rounds   TEXT CHECK (json_valid(rounds)),
  CHECK (leaf_seq IS NULL OR rounds IS NOT NULL)
) STRICT;

-- Up to 256 heads of a round. A head has 48 bytes: its account, the number of entries, and the hash of the newest.
CREATE TABLE journal_heads (
  heads_seq     INTEGER PRIMARY KEY,
  tree_seq      INTEGER NOT NULL REFERENCES journal_tree (tree_seq),
  -- From 0.
  round         INTEGER NOT NULL CHECK (round >= 0),
  -- The account of the first head, and its leaf in the tree.
  first_account INTEGER NOT NULL CHECK (first_account > 0),
  first_leaf    INTEGER NOT NULL CHECK (first_leaf >= 0),
  heads         BLOB NOT NULL CHECK (length(heads) BETWEEN 48 AND 12288 AND length(heads) % 48 = 0),
  UNIQUE (tree_seq, round, first_account)
) STRICT;

-- The hashes of a tree: level 0 has those of its leaves, 256 in a row, and each level above the roots of the full rows below.
CREATE TABLE journal_tile (
  tile_seq   INTEGER PRIMARY KEY,
  tree_seq   INTEGER NOT NULL REFERENCES journal_tree (tree_seq),
  level      INTEGER NOT NULL CHECK (level >= 0),
  tile_index INTEGER NOT NULL CHECK (tile_index >= 0),
  hashes     BLOB NOT NULL CHECK (length(hashes) BETWEEN 32 AND 8192 AND length(hashes) % 32 = 0),
  UNIQUE (tree_seq, level, tile_index)
) STRICT;

CREATE TRIGGER journal_tree_begins BEFORE INSERT ON journal_tree
WHEN NEW.rounds IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'a tree begins without rounds'); END;
CREATE TRIGGER journal_tree_is_final BEFORE UPDATE ON journal_tree
WHEN OLD.rounds IS NOT NULL OR NEW.tree_seq <> OLD.tree_seq OR NEW.salt_key <> OLD.salt_key
BEGIN SELECT RAISE(ABORT, 'trees of journal heads never change'); END;
CREATE TRIGGER journal_tree_stays BEFORE DELETE ON journal_tree
WHEN OLD.rounds IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'trees of journal heads are never deleted'); END;

CREATE TRIGGER journal_heads_begin BEFORE INSERT ON journal_heads
WHEN (SELECT rounds FROM journal_tree WHERE tree_seq = NEW.tree_seq) IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'trees of journal heads never change'); END;
CREATE TRIGGER journal_heads_are_final BEFORE UPDATE ON journal_heads
BEGIN SELECT RAISE(ABORT, 'heads of journals never change'); END;
CREATE TRIGGER journal_heads_stay BEFORE DELETE ON journal_heads
WHEN (SELECT rounds FROM journal_tree WHERE tree_seq = OLD.tree_seq) IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'heads of journals are never deleted'); END;

CREATE TRIGGER journal_tile_begins BEFORE INSERT ON journal_tile
WHEN (SELECT rounds FROM journal_tree WHERE tree_seq = NEW.tree_seq) IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'trees of journal heads never change'); END;
CREATE TRIGGER journal_tile_is_final BEFORE UPDATE ON journal_tile
BEGIN SELECT RAISE(ABORT, 'trees of journal heads never change'); END;
CREATE TRIGGER journal_tile_stays BEFORE DELETE ON journal_tile
WHEN (SELECT rounds FROM journal_tree WHERE tree_seq = OLD.tree_seq) IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'trees of journal heads are never deleted'); END;
