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
