-- Each end of a hire has a receipt of the service: beside that of a payment, which belongs to the worker, one for the hirer about the
-- credits that returned to it.

CREATE TABLE return_receipt (
  escrow_seq  INTEGER PRIMARY KEY REFERENCES escrow (escrow_seq),
  -- Null while it is owed: credits return even while the clock is wrong, and nothing is signed then.
  receipt_seq INTEGER REFERENCES service_receipt (receipt_seq)
) STRICT;

CREATE UNIQUE INDEX return_receipt_by_receipt ON return_receipt (receipt_seq) WHERE receipt_seq IS NOT NULL;
CREATE INDEX return_receipt_owed ON return_receipt (escrow_seq) WHERE receipt_seq IS NULL;

-- Whatever returns credits owes the receipt in its transaction, so none is forgotten.
CREATE TRIGGER return_receipt_is_owed AFTER UPDATE OF status ON escrow
WHEN NEW.end_transaction_id IS NOT NULL AND (NEW.receipt_seq IS NULL OR NEW.return_transaction_id IS NOT NULL)
BEGIN INSERT INTO return_receipt (escrow_seq) VALUES (NEW.escrow_seq); END;

CREATE TRIGGER return_receipt_is_of_returned_credits BEFORE INSERT ON return_receipt
WHEN NEW.receipt_seq IS NOT NULL OR NOT EXISTS (SELECT 1 FROM escrow WHERE escrow_seq = NEW.escrow_seq
  AND end_transaction_id IS NOT NULL AND (receipt_seq IS NULL OR return_transaction_id IS NOT NULL))
BEGIN SELECT RAISE(ABORT, 'a receipt is owed for credits that returned'); END;
CREATE TRIGGER return_receipt_is_issued_once BEFORE UPDATE ON return_receipt
WHEN OLD.receipt_seq IS NOT NULL OR NEW.receipt_seq IS NULL OR NEW.escrow_seq <> OLD.escrow_seq
BEGIN SELECT RAISE(ABORT, 'the receipt of returned credits is issued once'); END;
CREATE TRIGGER return_receipt_stays BEFORE DELETE ON return_receipt
BEGIN SELECT RAISE(ABORT, 'receipts of returned credits are never deleted'); END;

-- The newest movement from before this: hires that it or an earlier one ended have no such receipt.
CREATE TABLE return_receipt_start (
  one          INTEGER PRIMARY KEY CHECK (one = 1),
  movement_seq INTEGER NOT NULL CHECK (movement_seq >= 0)
) STRICT;

INSERT INTO return_receipt_start SELECT 1, coalesce(max(movement_seq), 0) FROM movement;

CREATE TRIGGER return_receipt_start_is_final BEFORE UPDATE ON return_receipt_start
BEGIN SELECT RAISE(ABORT, 'receipts of returned credits began once'); END;
CREATE TRIGGER return_receipt_start_stays BEFORE DELETE ON return_receipt_start
BEGIN SELECT RAISE(ABORT, 'receipts of returned credits began once'); END;
