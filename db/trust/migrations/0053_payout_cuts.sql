-- Parts of withdrawals that are not paid, because a dispute holds the payment that bought them. They returned to the agent; the rest of the
-- withdrawal is paid. A withdrawal of which nothing is left has failed instead.
CREATE TABLE payout_cut (
  cut_seq        INTEGER PRIMARY KEY,
  payout_seq     INTEGER NOT NULL REFERENCES payout (payout_seq),
  -- The disputed payment; null for a cut that a restored database did not have.
  payment_seq    INTEGER REFERENCES booked_payment (payment_seq),
  amount         INTEGER NOT NULL CHECK (amount BETWEEN 1 AND 9007199254740991),
  -- The UNLOCK of the credits.
  transaction_id BLOB NOT NULL UNIQUE CHECK (length(transaction_id) = 16),
  -- Milliseconds since 1970.
  created_at     INTEGER NOT NULL CHECK (created_at >= 0)
) STRICT;
CREATE INDEX payout_cut_by_payout ON payout_cut (payout_seq);

CREATE TRIGGER payout_cut_is_of_a_queued_payout BEFORE INSERT ON payout_cut
WHEN (SELECT status FROM payout WHERE payout_seq = NEW.payout_seq) IS NOT 'queued'
  OR (SELECT amount FROM payout WHERE payout_seq = NEW.payout_seq)
    <= NEW.amount + (SELECT coalesce(sum(amount), 0) FROM payout_cut WHERE payout_seq = NEW.payout_seq)
BEGIN SELECT RAISE(ABORT, 'only a part of a queued payout is cut'); END;
CREATE TRIGGER payout_cut_is_final BEFORE UPDATE ON payout_cut
BEGIN SELECT RAISE(ABORT, 'cuts of payouts never change'); END;
CREATE TRIGGER payout_cut_stays BEFORE DELETE ON payout_cut
BEGIN SELECT RAISE(ABORT, 'cuts of payouts are never deleted'); END;

-- The line of irrevocable.ndjson names what was paid.
DROP TRIGGER payout_stays_ended;
CREATE TRIGGER payout_stays_ended AFTER UPDATE OF status ON payout
WHEN NEW.status IN ('confirmed', 'failed') AND OLD.status <> NEW.status
BEGIN
  INSERT INTO lasting_act (act_id, created_at, act) VALUES (randomblob(16), CAST(unixepoch('subsec') * 1000 AS INTEGER), json_object(
    'act', 'payout_ended', 'withdrawal_id', 'wdr_' || lower(hex(NEW.withdrawal_id)), 'status', NEW.status,
    'subject_commitment', (SELECT lower(hex(subject_commitment)) FROM agent WHERE agent_seq = NEW.agent_seq),
    'amount', NEW.amount - (SELECT coalesce(sum(amount), 0) FROM payout_cut WHERE payout_seq = NEW.payout_seq),
    'reference', NEW.reference, 'address', NEW.address, 'external_reference', NEW.external_reference));
END;
