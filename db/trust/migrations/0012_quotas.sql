-- How many bytes each payer has stored.

CREATE TABLE stored_bytes (
  payer     TEXT    NOT NULL,
  payer_seq INTEGER NOT NULL,
  bytes     INTEGER NOT NULL CHECK (bytes BETWEEN 0 AND 9007199254740991),
  PRIMARY KEY (payer, payer_seq)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER stored_bytes_only_grow BEFORE UPDATE ON stored_bytes WHEN NEW.bytes < OLD.bytes
BEGIN SELECT RAISE(ABORT, 'stored bytes only grow'); END;
CREATE TRIGGER stored_bytes_stay BEFORE DELETE ON stored_bytes
BEGIN SELECT RAISE(ABORT, 'stored bytes only grow'); END;
