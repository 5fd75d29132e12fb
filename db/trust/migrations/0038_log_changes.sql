-- The key log also has entries about closed logs and those that continue them, which are of no key.
CREATE TABLE new_key_leaf (
  leaf_seq  INTEGER PRIMARY KEY,
  -- Null for an entry about a log.
  key_seq   INTEGER REFERENCES signing_key (key_seq),
  event     TEXT NOT NULL CHECK (length(event) BETWEEN 1 AND 32),
  leaf_hash BLOB NOT NULL CHECK (length(leaf_hash) = 32),
  entry     TEXT NOT NULL,
  CHECK ((key_seq IS NULL) = (event GLOB 'log_*'))
) STRICT;

INSERT INTO new_key_leaf (leaf_seq, key_seq, event, leaf_hash, entry)
SELECT leaf_seq, key_seq, event, leaf_hash, entry FROM key_leaf;

DROP TABLE key_leaf;
ALTER TABLE new_key_leaf RENAME TO key_leaf;

CREATE TRIGGER key_leaf_follows AFTER INSERT ON key_leaf
WHEN NEW.leaf_seq <> 1 AND NOT EXISTS (SELECT 1 FROM key_leaf WHERE leaf_seq = NEW.leaf_seq - 1)
BEGIN SELECT RAISE(ABORT, 'leaves follow one another'); END;
CREATE TRIGGER key_leaf_is_final BEFORE UPDATE ON key_leaf
BEGIN SELECT RAISE(ABORT, 'leaves never change'); END;
CREATE TRIGGER key_leaf_stays BEFORE DELETE ON key_leaf
BEGIN SELECT RAISE(ABORT, 'leaves are never deleted'); END;
