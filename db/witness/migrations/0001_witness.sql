-- The identity of a witness, its keys, and the newest checkpoint of each log that it has cosigned.

CREATE TABLE identity (
  identity_seq INTEGER PRIMARY KEY CHECK (identity_seq = 1),
  -- The name in its signature lines, which never changes.
  name         TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  created_at   TEXT NOT NULL
) STRICT;
CREATE TRIGGER identity_is_final BEFORE UPDATE ON identity
BEGIN SELECT RAISE(ABORT, 'a witness keeps its name'); END;
CREATE TRIGGER identity_stays BEFORE DELETE ON identity
BEGIN SELECT RAISE(ABORT, 'a witness keeps its name'); END;

-- The private halves are files in keys/.
CREATE TABLE cosigning_key (
  key_seq   INTEGER PRIMARY KEY,
  kid       TEXT NOT NULL UNIQUE,
  algorithm TEXT NOT NULL UNIQUE CHECK (length(algorithm) BETWEEN 1 AND 32)
) STRICT;
CREATE TRIGGER cosigning_key_is_final BEFORE UPDATE ON cosigning_key
BEGIN SELECT RAISE(ABORT, 'keys never change'); END;
CREATE TRIGGER cosigning_key_stays BEFORE DELETE ON cosigning_key
BEGIN SELECT RAISE(ABORT, 'keys are never deleted'); END;

CREATE TABLE witnessed_log (
  log_seq     INTEGER PRIMARY KEY,
  origin      TEXT NOT NULL UNIQUE,
  -- SHA-256 of the origin, which monitors ask for.
  origin_hash BLOB NOT NULL UNIQUE CHECK (length(origin_hash) = 32),
  size        INTEGER NOT NULL CHECK (size >= 0),
  root        BLOB NOT NULL CHECK (length(root) = 32),
  -- Seconds since 1970, as the cosignatures state them.
  cosigned_at INTEGER NOT NULL CHECK (cosigned_at > 0),
  -- The checkpoint with those signatures of the log that were verified, and with the cosignatures.
  note        TEXT NOT NULL
) STRICT;

-- Whatever the program does wrong: a checkpoint that was cosigned is never contradicted.
CREATE TRIGGER witnessed_log_grows BEFORE UPDATE ON witnessed_log
WHEN NEW.log_seq <> OLD.log_seq OR NEW.origin <> OLD.origin OR NEW.origin_hash <> OLD.origin_hash
  OR NEW.size < OLD.size OR (NEW.size = OLD.size AND NEW.root <> OLD.root) OR NEW.cosigned_at < OLD.cosigned_at
BEGIN SELECT RAISE(ABORT, 'a witness never goes back'); END;
CREATE TRIGGER witnessed_log_stays BEFORE DELETE ON witnessed_log
BEGIN SELECT RAISE(ABORT, 'a witness forgets nothing'); END;
