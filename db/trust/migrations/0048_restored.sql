-- What a restored backup must not undo. Each row also becomes a line of irrevocable.ndjson in the data directory, which is in no backup. The
-- newest row stays, so that a start sees whether the database is older than this file. Times are milliseconds since 1970.
CREATE TABLE lasting_act (
  act_seq    INTEGER PRIMARY KEY,
  act_id     BLOB NOT NULL UNIQUE CHECK (length(act_id) = 16),
  created_at INTEGER NOT NULL CHECK (created_at >= 0),
  -- The other members of the line, as JSON. No secrets.
  act        TEXT NOT NULL CHECK (json_valid(act))
) STRICT;
CREATE TRIGGER lasting_act_is_final BEFORE UPDATE ON lasting_act
BEGIN SELECT RAISE(ABORT, 'an act never changes'); END;
CREATE TRIGGER newest_lasting_act_stays BEFORE DELETE ON lasting_act
WHEN OLD.act_seq = (SELECT max(act_seq) FROM lasting_act)
BEGIN SELECT RAISE(ABORT, 'the newest act stays'); END;

CREATE TRIGGER api_key_stays_deleted AFTER DELETE ON api_key
BEGIN
  INSERT INTO lasting_act (act_id, created_at, act) VALUES (randomblob(16), CAST(unixepoch('subsec') * 1000 AS INTEGER), json_object(
    'act', 'key_deleted', 'key_hash', lower(hex(OLD.key_hash)),
    'operator_id', (SELECT operator_id FROM operator WHERE operator_seq = OLD.operator_seq)));
END;
CREATE TRIGGER payout_stays_ended AFTER UPDATE OF status ON payout
WHEN NEW.status IN ('confirmed', 'failed') AND OLD.status <> NEW.status
BEGIN
  INSERT INTO lasting_act (act_id, created_at, act) VALUES (randomblob(16), CAST(unixepoch('subsec') * 1000 AS INTEGER), json_object(
    'act', 'payout_ended', 'withdrawal_id', 'wdr_' || lower(hex(NEW.withdrawal_id)), 'status', NEW.status,
    'subject_commitment', (SELECT lower(hex(subject_commitment)) FROM agent WHERE agent_seq = NEW.agent_seq),
    'amount', NEW.amount, 'reference', NEW.reference, 'address', NEW.address, 'external_reference', NEW.external_reference));
END;

-- One row from a restore until the administrator accepts it. No money leaves or arrives by a rail meanwhile.
CREATE TABLE restored (
  one         INTEGER PRIMARY KEY CHECK (one = 1),
  restored_at INTEGER NOT NULL CHECK (restored_at >= 0),
  -- Until when a server surely ran with these data; null if none published a checkpoint.
  data_until  INTEGER CHECK (data_until >= 0)
) STRICT;
