-- What the processor reports about a payment after it was made: disputes, warnings of fraud, refunds one by one, and that a stablecoin paid
-- it. A row is what all events about its id say together, whatever their order is. Times are milliseconds since 1970.

CREATE TABLE payment_report (
  -- The id of the dispute, the warning or the refund; of a stablecoin payment, of its charge.
  report_id      TEXT NOT NULL PRIMARY KEY CHECK (length(report_id) BETWEEN 1 AND 255),
  -- dispute, warning, refund, stablecoin.
  kind           TEXT NOT NULL CHECK (length(kind) BETWEEN 1 AND 32),
  payment_intent TEXT NOT NULL CHECK (length(payment_intent) BETWEEN 1 AND 255),
  charge_id      TEXT NOT NULL CHECK (length(charge_id) BETWEEN 1 AND 255),
  -- In US cents; null for the whole payment.
  cents          INTEGER CHECK (cents BETWEEN 0 AND 9007199254740991),
  -- open, released, lost of a dispute; made, failed of a refund. It is of the newest event.
  status         TEXT NOT NULL CHECK (length(status) BETWEEN 1 AND 32),
  status_at      INTEGER NOT NULL CHECK (status_at >= 0),
  -- Whether the processor took the disputed money: none, gone, back. It is of the newest event that says so.
  money          TEXT NOT NULL CHECK (length(money) BETWEEN 1 AND 32),
  money_at       INTEGER NOT NULL CHECK (money_at >= 0),
  -- Until when credits of the payment are held without a decision; 0 for a report that holds none.
  held_until     INTEGER NOT NULL CHECK (held_until >= 0),
  -- Whether the payment is not booked yet.
  waiting        INTEGER NOT NULL CHECK (waiting IN (0, 1)),
  received_at    INTEGER NOT NULL CHECK (received_at >= 0)
) STRICT, WITHOUT ROWID;
CREATE INDEX payment_report_by_payment ON payment_report (payment_intent);
CREATE INDEX payment_report_by_hold ON payment_report (held_until) WHERE held_until > 0;
CREATE INDEX waiting_payment_report ON payment_report (received_at) WHERE waiting = 1;

CREATE TRIGGER payment_report_moves_forward BEFORE UPDATE ON payment_report
WHEN NEW.report_id <> OLD.report_id OR NEW.kind <> OLD.kind OR NEW.payment_intent <> OLD.payment_intent OR NEW.status_at < OLD.status_at
  OR NEW.money_at < OLD.money_at OR NEW.held_until > OLD.held_until OR NEW.waiting > OLD.waiting OR NEW.received_at <> OLD.received_at
  OR (OLD.status = 'failed' AND NEW.status <> 'failed')
BEGIN SELECT RAISE(ABORT, 'a report about a payment only moves forward'); END;
CREATE TRIGGER payment_report_stays BEFORE DELETE ON payment_report
WHEN EXISTS (SELECT 1 FROM booked_payment WHERE payment_intent = OLD.payment_intent)
BEGIN SELECT RAISE(ABORT, 'reports about booked payments are never deleted'); END;

CREATE TRIGGER payment_report_finds_its_payment AFTER INSERT ON booked_payment
WHEN NEW.payment_intent IS NOT NULL
BEGIN UPDATE payment_report SET waiting = 0 WHERE payment_intent = NEW.payment_intent AND waiting = 1; END;
CREATE TRIGGER payment_report_finds_its_invoice AFTER UPDATE OF payment_intent ON booked_payment
WHEN NEW.payment_intent IS NOT NULL
BEGIN UPDATE payment_report SET waiting = 0 WHERE payment_intent = NEW.payment_intent AND waiting = 1; END;

-- Payments whose lots are not all as their reports say: what is left is done in further transactions.
CREATE TABLE pending_hold (
  payment_seq INTEGER PRIMARY KEY REFERENCES booked_payment (payment_seq)
) STRICT;

-- What was refunded or lost of a payment may come back: a refund fails, a dispute is won.
DROP TRIGGER booked_payment_keeps;
CREATE TRIGGER booked_payment_keeps BEFORE UPDATE ON booked_payment
WHEN NEW.payment_seq <> OLD.payment_seq OR NEW.operator_seq <> OLD.operator_seq OR NEW.purpose <> OLD.purpose
  OR NEW.session_id IS NOT OLD.session_id OR NEW.invoice_id IS NOT OLD.invoice_id
  OR (OLD.payment_intent IS NOT NULL AND NEW.payment_intent IS NOT OLD.payment_intent)
  OR NEW.customer_id IS NOT OLD.customer_id OR NEW.usd_cents <> OLD.usd_cents OR NEW.cents_per_credit <> OLD.cents_per_credit
  OR NEW.asset <> OLD.asset OR NEW.amount <> OLD.amount OR NEW.promotional <> OLD.promotional
  OR NEW.transaction_id <> OLD.transaction_id OR NEW.created_at <> OLD.created_at
  OR (NEW.refunded_cents < OLD.refunded_cents AND NOT EXISTS (SELECT 1 FROM payment_report WHERE payment_intent = NEW.payment_intent
    AND (status = 'failed' OR money = 'back')))
BEGIN SELECT RAISE(ABORT, 'a booked payment changes only by refunds and disputes'); END;

-- Payments from before there were lots: their credits are not told apart. A dispute of one names credits of its operator as those of the
-- payment.
ALTER TABLE lot_payment ADD COLUMN unnamed INTEGER NOT NULL DEFAULT 0 CHECK (unnamed IN (0, 1));
INSERT INTO lot_payment (payment_seq, operator_seq, matures_at, unnamed)
SELECT payment_seq, operator_seq, 0, 1 FROM booked_payment WHERE payment_seq NOT IN (SELECT payment_seq FROM lot_payment);
CREATE TRIGGER lot_payment_keeps_its_lots BEFORE UPDATE OF unnamed ON lot_payment
BEGIN SELECT RAISE(ABORT, 'whether the lots of a payment are told apart never changes'); END;

-- For comparing what came back with the ledger, too.
DROP INDEX movement_by_transaction;
CREATE INDEX movement_by_transaction ON movement (transaction_id)
  WHERE debit_kind = 'locked' OR credit_kind = 'locked' OR credit_kind = 'slashed' OR kind = 'SETTLEMENT' OR credit_kind = 'issuance'
    OR credit_kind = 'receivable' OR debit_kind = 'issuance';
