-- A receipt names the API key that issued it. After the scope of that key has ended, the key may still finalize and revoke it.

-- The number of each API key. It stays when the key is deleted: no other key gets it, and receipts go on naming their key by its hash.
CREATE TABLE api_key_number (
  api_key_seq  INTEGER PRIMARY KEY,
  key_hash     BLOB NOT NULL CHECK (length(key_hash) = 32),
  operator_seq INTEGER NOT NULL REFERENCES operator (operator_seq),
  UNIQUE (key_hash, operator_seq)
) STRICT;

INSERT INTO api_key_number (key_hash, operator_seq)
SELECT key_hash, operator_seq FROM api_key ORDER BY created_at, key_hash;

CREATE TRIGGER api_key_is_numbered AFTER INSERT ON api_key
BEGIN
  INSERT INTO api_key_number (key_hash, operator_seq) VALUES (NEW.key_hash, NEW.operator_seq) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER api_key_number_is_final BEFORE UPDATE ON api_key_number
BEGIN SELECT RAISE(ABORT, 'the numbers of API keys never change'); END;
CREATE TRIGGER api_key_number_stays BEFORE DELETE ON api_key_number
BEGIN SELECT RAISE(ABORT, 'the numbers of API keys are never deleted'); END;

-- Null for a receipt that the service issued itself, and for one that was issued before this migration.
ALTER TABLE receipt ADD COLUMN api_key_seq INTEGER REFERENCES api_key_number (api_key_seq);

CREATE TRIGGER receipt_keeps_its_key BEFORE UPDATE OF api_key_seq ON receipt
WHEN NEW.api_key_seq IS NOT OLD.api_key_seq
BEGIN SELECT RAISE(ABORT, 'the API key that issued a receipt does not change'); END;
