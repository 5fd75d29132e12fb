-- What finalized failures took of the stakes of operators. Amounts are US cents.

-- One entry for each receipt that was finalized with an error tranche, also where there was nothing to take.
CREATE TABLE slash (
  slash_seq          INTEGER PRIMARY KEY,
  slash_id           BLOB NOT NULL CHECK (length(slash_id) = 16),
  receipt_seq        INTEGER NOT NULL UNIQUE REFERENCES receipt (receipt_seq),
  operator_seq       INTEGER NOT NULL REFERENCES operator (operator_seq),
  tranche            TEXT NOT NULL CHECK (length(tranche) BETWEEN 1 AND 64 AND tranche <> 'NONE'),
  amount_cents       INTEGER NOT NULL CHECK (amount_cents >= 0),
  stake_before_cents INTEGER NOT NULL CHECK (stake_before_cents BETWEEN amount_cents AND 9007199254740991),
  -- The time of the finalization, RFC 3339.
  created_at         TEXT NOT NULL
) STRICT;
-- Few indexes: every failure writes them. A list without a filter reads each tranche.
CREATE INDEX slash_by_operator ON slash (operator_seq, tranche);

CREATE TRIGGER slash_is_final BEFORE UPDATE ON slash
BEGIN SELECT RAISE(ABORT, 'entries of the slashing ledger never change'); END;
CREATE TRIGGER slash_stays BEFORE DELETE ON slash
BEGIN SELECT RAISE(ABORT, 'entries of the slashing ledger are never deleted'); END;

-- An entry states what the ledger booked for its receipt, and the stake as the ledger has it.
CREATE TRIGGER slash_agrees_with_the_ledger BEFORE INSERT ON slash
BEGIN
  SELECT RAISE(ABORT, 'the entry states another amount than the ledger took of the stake')
  WHERE NEW.amount_cents <> coalesce((
      SELECT sum(amount) FROM movement
      WHERE receipt_seq = NEW.receipt_seq AND kind = 'SLASH' AND asset = 'cents'
        AND debit_kind = 'stake' AND debit_owner = NEW.operator_seq AND credit_kind = 'slashed'
    ), 0)
    OR NEW.stake_before_cents - NEW.amount_cents <> coalesce((
      SELECT balance FROM ledger_account WHERE kind = 'stake' AND owner_seq = NEW.operator_seq AND asset = 'cents'
    ), 0);
END;

-- The size of the log of receipts when slashing began: every failure that is finalized after it has an entry.
CREATE TABLE slashing_start (
  one    INTEGER PRIMARY KEY CHECK (one = 1),
  leaves INTEGER NOT NULL CHECK (leaves >= 0)
) STRICT;
INSERT INTO slashing_start (one, leaves) SELECT 1, coalesce(max(leaf_seq), 0) FROM receipt_leaf;
CREATE TRIGGER slashing_start_is_final BEFORE UPDATE ON slashing_start
BEGIN SELECT RAISE(ABORT, 'the start of slashing never changes'); END;
CREATE TRIGGER slashing_start_stays BEFORE DELETE ON slashing_start
BEGIN SELECT RAISE(ABORT, 'the start of slashing is never deleted'); END;
