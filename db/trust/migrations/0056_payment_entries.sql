-- What an operator sees of its payments, newest first: what was paid, what the payer has back, debts, disputes and settlements. A row names
-- the row that it is about. Triggers write what other tables say; refunds and chargebacks are facts of their own, since a payment has only
-- their sum. Times are milliseconds since 1970.

CREATE TABLE payment_entry (
  entry_seq      INTEGER PRIMARY KEY,
  -- Null for the settlement of an agent without a sponsor.
  operator_seq   INTEGER REFERENCES operator (operator_seq),
  -- topup, subscription, settlement, refund, chargeback, debt, debt_payment, dispute, warning.
  kind           TEXT NOT NULL CHECK (length(kind) BETWEEN 1 AND 32),
  -- As it is now: paid, partly_refunded, refunded; made, reversed; owed; open, lost, released.
  status         TEXT NOT NULL CHECK (length(status) BETWEEN 1 AND 32),
  created_at     INTEGER NOT NULL CHECK (created_at >= 0),
  payment_seq    INTEGER REFERENCES booked_payment (payment_seq),
  settlement_seq INTEGER REFERENCES settlement (settlement_seq),
  -- The dispute or the warning.
  report_id      TEXT REFERENCES payment_report (report_id),
  -- The transaction of a debt, and of what covers one.
  transaction_id BLOB CHECK (length(transaction_id) = 16),
  -- Of a refund or a chargeback: what the payer got back, in US cents; below zero if it came back. And all that the payer has back since.
  cents          INTEGER CHECK (cents BETWEEN -9007199254740991 AND 9007199254740991 AND cents <> 0),
  cents_after    INTEGER CHECK (cents_after BETWEEN 0 AND 9007199254740991),
  CHECK ((payment_seq IS NULL) = (settlement_seq IS NOT NULL)),
  CHECK ((cents IS NULL) = (cents_after IS NULL))
) STRICT;
-- A list without a filter merges the ranges of all kinds and states, so that each row is in few indexes.
CREATE INDEX payment_entry_by_operator ON payment_entry (operator_seq, kind, status, created_at);
CREATE INDEX payment_entry_by_kind ON payment_entry (kind, status, created_at);
CREATE UNIQUE INDEX payment_entry_by_report ON payment_entry (report_id) WHERE report_id IS NOT NULL;
CREATE UNIQUE INDEX payment_entry_by_transaction ON payment_entry (transaction_id) WHERE transaction_id IS NOT NULL;
CREATE INDEX payment_entry_by_payment ON payment_entry (payment_seq) WHERE payment_seq IS NOT NULL;
CREATE INDEX unbooked_payment_by_time ON unbooked_payment (created_at);

INSERT INTO payment_entry (operator_seq, kind, status, created_at, payment_seq)
SELECT operator_seq, CASE purpose WHEN 'subscription' THEN 'subscription' ELSE 'topup' END,
  CASE WHEN refunded_cents = 0 THEN 'paid' WHEN refunded_cents < usd_cents THEN 'partly_refunded' ELSE 'refunded' END, created_at, payment_seq
FROM booked_payment ORDER BY payment_seq;
-- What the payer had back before this version: at most an entry of each kind, of the time of the first movement.
CREATE TEMP TABLE gone AS
SELECT p.payment_seq, p.operator_seq, p.refunded_cents, coalesce((
    SELECT min(m.created_at) FROM payment_movement b CROSS JOIN movement m ON m.transaction_id = b.transaction_id
    WHERE b.payment_seq = p.payment_seq AND b.role IN ('refund', 'debt') AND m.credit_kind = 'issuance'
  ), p.created_at) AS created_at,
  min(p.refunded_cents, max(coalesce(f.cents, 0)
    - coalesce((SELECT sum(cents) FROM payment_report r WHERE r.payment_intent = p.payment_intent AND kind = 'refund' AND status = 'failed'), 0),
    coalesce((SELECT sum(cents) FROM payment_report r WHERE r.payment_intent = p.payment_intent AND kind = 'refund' AND status = 'made'), 0))
  ) AS refunds
FROM booked_payment p LEFT JOIN payment_refund f USING (payment_intent) WHERE p.refunded_cents > 0;
INSERT INTO payment_entry (operator_seq, kind, status, created_at, payment_seq, cents, cents_after)
SELECT operator_seq, 'refund', 'made', created_at, payment_seq, refunds, refunds FROM temp.gone WHERE refunds > 0 ORDER BY payment_seq;
INSERT INTO payment_entry (operator_seq, kind, status, created_at, payment_seq, cents, cents_after)
SELECT operator_seq, 'chargeback', 'made', created_at, payment_seq, refunded_cents - refunds, refunded_cents FROM temp.gone
WHERE refunds < refunded_cents ORDER BY payment_seq;
DROP TABLE temp.gone;
INSERT INTO payment_entry (operator_seq, kind, status, created_at, payment_seq, transaction_id)
SELECT p.operator_seq, 'debt', 'owed', (SELECT min(m.created_at) FROM movement m
  WHERE m.transaction_id = b.transaction_id AND m.credit_kind = 'issuance'), b.payment_seq, b.transaction_id
FROM payment_movement b JOIN booked_payment p USING (payment_seq) WHERE b.role = 'debt';
INSERT INTO payment_entry (operator_seq, kind, status, created_at, payment_seq, transaction_id)
SELECT p.operator_seq, 'debt_payment', 'paid', (SELECT min(m.created_at) FROM movement m
  WHERE m.transaction_id = b.transaction_id AND m.credit_kind = 'receivable'), b.payment_seq, b.transaction_id
FROM payment_movement b JOIN booked_payment p USING (payment_seq) WHERE b.role = 'cover';
INSERT INTO payment_entry (operator_seq, kind, status, created_at, payment_seq, report_id)
SELECT p.operator_seq, r.kind, r.status, r.received_at, p.payment_seq, r.report_id
FROM payment_report r JOIN booked_payment p USING (payment_intent) WHERE r.kind IN ('dispute', 'warning') ORDER BY 4;
INSERT INTO payment_entry (operator_seq, kind, status, created_at, settlement_seq)
SELECT a.sponsor_seq, 'settlement', 'paid', CAST(round(unixepoch(s.created_at, 'subsec') * 1000) AS INTEGER), s.settlement_seq
FROM settlement s JOIN agent a USING (agent_seq) ORDER BY s.settlement_seq;

CREATE TRIGGER payment_entry_keeps BEFORE UPDATE ON payment_entry
WHEN NEW.entry_seq <> OLD.entry_seq OR NEW.operator_seq IS NOT OLD.operator_seq OR NEW.kind <> OLD.kind OR NEW.created_at <> OLD.created_at
  OR NEW.payment_seq IS NOT OLD.payment_seq OR NEW.settlement_seq IS NOT OLD.settlement_seq OR NEW.report_id IS NOT OLD.report_id
  OR NEW.transaction_id IS NOT OLD.transaction_id OR NEW.cents IS NOT OLD.cents OR NEW.cents_after IS NOT OLD.cents_after
BEGIN SELECT RAISE(ABORT, 'only the status of an entry changes'); END;
CREATE TRIGGER payment_entry_stays BEFORE DELETE ON payment_entry
BEGIN SELECT RAISE(ABORT, 'entries of payments are never deleted'); END;

CREATE TRIGGER payment_entry_of_payment AFTER INSERT ON booked_payment
BEGIN
  INSERT INTO payment_entry (operator_seq, kind, status, created_at, payment_seq) VALUES (NEW.operator_seq,
    CASE NEW.purpose WHEN 'subscription' THEN 'subscription' ELSE 'topup' END, 'paid', NEW.created_at, NEW.payment_seq);
END;
CREATE TRIGGER payment_entry_of_refunded_payment AFTER UPDATE OF refunded_cents ON booked_payment
WHEN NEW.refunded_cents <> OLD.refunded_cents
BEGIN
  UPDATE payment_entry SET status = CASE WHEN NEW.refunded_cents = 0 THEN 'paid' WHEN NEW.refunded_cents < NEW.usd_cents
    THEN 'partly_refunded' ELSE 'refunded' END
  WHERE payment_seq = NEW.payment_seq AND kind IN ('topup', 'subscription');
END;
CREATE TRIGGER payment_entry_of_debt AFTER INSERT ON payment_movement
WHEN NEW.role = 'debt'
BEGIN
  INSERT INTO payment_entry (operator_seq, kind, status, created_at, payment_seq, transaction_id)
  SELECT operator_seq, 'debt', 'owed', (SELECT min(m.created_at) FROM movement m
    WHERE m.transaction_id = NEW.transaction_id AND m.credit_kind = 'issuance'), payment_seq, NEW.transaction_id
  FROM booked_payment WHERE payment_seq = NEW.payment_seq;
END;
CREATE TRIGGER payment_entry_of_cover AFTER INSERT ON payment_movement
WHEN NEW.role = 'cover'
BEGIN
  INSERT INTO payment_entry (operator_seq, kind, status, created_at, payment_seq, transaction_id)
  SELECT operator_seq, 'debt_payment', 'paid', (SELECT min(m.created_at) FROM movement m
    WHERE m.transaction_id = NEW.transaction_id AND m.credit_kind = 'receivable'), payment_seq, NEW.transaction_id
  FROM booked_payment WHERE payment_seq = NEW.payment_seq;
END;
CREATE TRIGGER payment_entry_of_report AFTER INSERT ON payment_report
WHEN NEW.waiting = 0 AND NEW.kind IN ('dispute', 'warning')
BEGIN
  INSERT INTO payment_entry (operator_seq, kind, status, created_at, payment_seq, report_id)
  SELECT operator_seq, NEW.kind, NEW.status, NEW.received_at, payment_seq, NEW.report_id
  FROM booked_payment WHERE payment_intent = NEW.payment_intent;
END;
CREATE TRIGGER payment_entry_of_waiting_report AFTER UPDATE OF waiting ON payment_report
WHEN NEW.waiting = 0 AND OLD.waiting = 1 AND NEW.kind IN ('dispute', 'warning')
BEGIN
  INSERT INTO payment_entry (operator_seq, kind, status, created_at, payment_seq, report_id)
  SELECT operator_seq, NEW.kind, NEW.status, NEW.received_at, payment_seq, NEW.report_id
  FROM booked_payment WHERE payment_intent = NEW.payment_intent;
END;
CREATE TRIGGER payment_entry_of_decided_report AFTER UPDATE OF status ON payment_report
WHEN NEW.status <> OLD.status
BEGIN UPDATE payment_entry SET status = NEW.status WHERE report_id = NEW.report_id; END;
CREATE TRIGGER payment_entry_of_settlement AFTER INSERT ON settlement
BEGIN
  INSERT INTO payment_entry (operator_seq, kind, status, created_at, settlement_seq)
  SELECT sponsor_seq, 'settlement', 'paid', CAST(round(unixepoch(NEW.created_at, 'subsec') * 1000) AS INTEGER), NEW.settlement_seq
  FROM agent WHERE agent_seq = NEW.agent_seq;
END;

-- What the processor's events say about an invoice or a payment intent, also before its payment is booked: its pages and its charge.
CREATE TABLE payment_document (
  -- The invoice or the payment intent.
  source_id   TEXT NOT NULL PRIMARY KEY CHECK (length(source_id) BETWEEN 1 AND 255),
  invoice_url TEXT CHECK (length(invoice_url) BETWEEN 9 AND 2048),
  invoice_pdf TEXT CHECK (length(invoice_pdf) BETWEEN 9 AND 2048),
  receipt_url TEXT CHECK (length(receipt_url) BETWEEN 9 AND 2048),
  charge_id   TEXT CHECK (length(charge_id) BETWEEN 1 AND 255),
  -- When the charge was made, by the processor's clock.
  charged_at  INTEGER CHECK (charged_at >= 0),
  -- Whether no booked payment has this id yet.
  waiting     INTEGER NOT NULL CHECK (waiting IN (0, 1)),
  received_at INTEGER NOT NULL CHECK (received_at >= 0)
) STRICT, WITHOUT ROWID;
CREATE INDEX waiting_payment_document ON payment_document (received_at) WHERE waiting = 1;
CREATE INDEX payment_document_by_charge ON payment_document (charge_id) WHERE charge_id IS NOT NULL;
CREATE TRIGGER payment_document_finds_its_payment AFTER INSERT ON booked_payment
BEGIN UPDATE payment_document SET waiting = 0 WHERE source_id IN (NEW.payment_intent, NEW.invoice_id) AND waiting = 1; END;
CREATE TRIGGER payment_document_finds_its_intent AFTER UPDATE OF payment_intent ON booked_payment
WHEN NEW.payment_intent IS NOT NULL
BEGIN UPDATE payment_document SET waiting = 0 WHERE source_id = NEW.payment_intent AND waiting = 1; END;
