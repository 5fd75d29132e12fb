-- Payments that a payment processor took, and what the ledger booked for them. Times are milliseconds since 1970. Ids of the processor are
-- texts: only their form is known.

-- Whether a checkout created the operator. After its subscription it has the quota of FREE.
ALTER TABLE operator ADD COLUMN subscribed INTEGER NOT NULL DEFAULT 0 CHECK (subscribed IN (0, 1));

-- Orders. Those of strangers have a token with which the payer gets the API key of the new operator.
CREATE TABLE checkout (
  checkout_seq INTEGER PRIMARY KEY,
  checkout_id  BLOB NOT NULL UNIQUE CHECK (length(checkout_id) = 16),
  session_id   TEXT NOT NULL UNIQUE CHECK (length(session_id) BETWEEN 1 AND 255),
  -- The operator that pays, or that the payment creates: it may not exist yet.
  operator_id  TEXT NOT NULL CHECK (length(operator_id) BETWEEN 1 AND 128),
  purpose      TEXT NOT NULL CHECK (length(purpose) BETWEEN 1 AND 32),
  usd_cents    INTEGER NOT NULL CHECK (usd_cents BETWEEN 1 AND 9007199254740991),
  customer_id  TEXT CHECK (length(customer_id) BETWEEN 1 AND 255),
  -- SHA-256 of the claim token; null for an order of a known operator.
  claim_hash   BLOB CHECK (length(claim_hash) = 32),
  status       TEXT NOT NULL CHECK (status IN ('open', 'paid', 'claimed')),
  created_at   INTEGER NOT NULL CHECK (created_at >= 0),
  expires_at   INTEGER NOT NULL CHECK (expires_at >= 0),
  CHECK (status <> 'claimed' OR claim_hash IS NOT NULL)
) STRICT;
CREATE INDEX checkout_by_customer ON checkout (customer_id) WHERE customer_id IS NOT NULL;
CREATE INDEX checkout_by_operator ON checkout (operator_id);
CREATE INDEX open_checkout_by_end ON checkout (expires_at) WHERE status = 'open';
-- For counting the open orders of strangers.
CREATE INDEX open_checkout_of_strangers ON checkout (checkout_seq) WHERE status = 'open' AND claim_hash IS NOT NULL;

CREATE TRIGGER checkout_begins_open BEFORE INSERT ON checkout
WHEN NEW.status <> 'open'
BEGIN SELECT RAISE(ABORT, 'an order begins open'); END;
CREATE TRIGGER checkout_moves_forward BEFORE UPDATE ON checkout
WHEN NEW.checkout_seq <> OLD.checkout_seq OR NEW.checkout_id <> OLD.checkout_id OR NEW.session_id <> OLD.session_id
  OR NEW.operator_id <> OLD.operator_id OR NEW.purpose <> OLD.purpose OR NEW.usd_cents <> OLD.usd_cents
  OR NEW.claim_hash IS NOT OLD.claim_hash OR NEW.created_at <> OLD.created_at
  OR (OLD.customer_id IS NOT NULL AND NEW.customer_id IS NOT OLD.customer_id)
  OR NOT (NEW.status = OLD.status OR (OLD.status = 'open' AND NEW.status = 'paid') OR (OLD.status = 'paid' AND NEW.status = 'claimed'))
BEGIN SELECT RAISE(ABORT, 'an order is paid once and claimed once'); END;
CREATE TRIGGER checkout_stays BEFORE DELETE ON checkout
WHEN OLD.status <> 'open'
BEGIN SELECT RAISE(ABORT, 'a paid order is never deleted'); END;

-- The events that had an effect, for 35 days.
CREATE TABLE processor_event (
  event_seq   INTEGER PRIMARY KEY,
  event_id    TEXT NOT NULL UNIQUE CHECK (length(event_id) BETWEEN 1 AND 255),
  received_at INTEGER NOT NULL CHECK (received_at >= 0)
) STRICT;

CREATE TABLE billing_customer (
  customer_id TEXT NOT NULL PRIMARY KEY CHECK (length(customer_id) BETWEEN 1 AND 255),
  operator_id TEXT NOT NULL CHECK (length(operator_id) BETWEEN 1 AND 128),
  created_at  INTEGER NOT NULL CHECK (created_at >= 0)
) STRICT, WITHOUT ROWID;
CREATE INDEX billing_customer_by_operator ON billing_customer (operator_id);

-- The end of a subscription may be known before its operator.
CREATE TABLE subscription (
  subscription_id TEXT NOT NULL PRIMARY KEY CHECK (length(subscription_id) BETWEEN 1 AND 255),
  operator_seq    INTEGER REFERENCES operator (operator_seq),
  ended_at        INTEGER CHECK (ended_at >= 0)
) STRICT, WITHOUT ROWID;
CREATE INDEX subscription_by_operator ON subscription (operator_seq) WHERE operator_seq IS NOT NULL;
CREATE TRIGGER subscription_moves_forward BEFORE UPDATE ON subscription
WHEN (OLD.operator_seq IS NOT NULL AND NEW.operator_seq IS NOT OLD.operator_seq)
  OR (OLD.ended_at IS NOT NULL AND NEW.ended_at IS NOT OLD.ended_at)
BEGIN SELECT RAISE(ABORT, 'a subscription belongs to one operator and ends once'); END;
CREATE TRIGGER subscription_stays BEFORE DELETE ON subscription
BEGIN SELECT RAISE(ABORT, 'subscriptions are never deleted'); END;

-- Every payment that the ledger booked, once for each session and each invoice.
CREATE TABLE booked_payment (
  payment_seq      INTEGER PRIMARY KEY,
  operator_seq     INTEGER NOT NULL REFERENCES operator (operator_seq),
  purpose          TEXT NOT NULL CHECK (length(purpose) BETWEEN 1 AND 32),
  session_id       TEXT UNIQUE CHECK (length(session_id) BETWEEN 1 AND 255),
  invoice_id       TEXT UNIQUE CHECK (length(invoice_id) BETWEEN 1 AND 255),
  payment_intent   TEXT UNIQUE CHECK (length(payment_intent) BETWEEN 1 AND 255),
  customer_id      TEXT CHECK (length(customer_id) BETWEEN 1 AND 255),
  -- What was paid, and the price of a credit at that time.
  usd_cents        INTEGER NOT NULL CHECK (usd_cents BETWEEN 0 AND 9007199254740991),
  cents_per_credit INTEGER NOT NULL CHECK (cents_per_credit BETWEEN 1 AND 9007199254740991),
  -- What it gave: an amount of an asset, and with a subscription promotional credits.
  asset            TEXT NOT NULL CHECK (length(asset) BETWEEN 1 AND 32),
  amount           INTEGER NOT NULL CHECK (amount BETWEEN 0 AND 9007199254740991),
  promotional      INTEGER NOT NULL CHECK (promotional BETWEEN 0 AND 9007199254740991),
  transaction_id   BLOB NOT NULL UNIQUE CHECK (length(transaction_id) = 16),
  -- What was refunded of it, as booked.
  refunded_cents   INTEGER NOT NULL CHECK (refunded_cents BETWEEN 0 AND usd_cents),
  created_at       INTEGER NOT NULL CHECK (created_at >= 0),
  CHECK (session_id IS NOT NULL OR invoice_id IS NOT NULL)
) STRICT;
CREATE INDEX booked_payment_by_operator ON booked_payment (operator_seq);
-- Payments whose payment intent is not known yet.
CREATE INDEX booked_payment_by_customer ON booked_payment (customer_id) WHERE payment_intent IS NULL AND invoice_id IS NOT NULL;

CREATE TRIGGER booked_payment_keeps BEFORE UPDATE ON booked_payment
WHEN NEW.payment_seq <> OLD.payment_seq OR NEW.operator_seq <> OLD.operator_seq OR NEW.purpose <> OLD.purpose
  OR NEW.session_id IS NOT OLD.session_id OR NEW.invoice_id IS NOT OLD.invoice_id
  OR (OLD.payment_intent IS NOT NULL AND NEW.payment_intent IS NOT OLD.payment_intent)
  OR NEW.customer_id IS NOT OLD.customer_id OR NEW.usd_cents <> OLD.usd_cents OR NEW.cents_per_credit <> OLD.cents_per_credit
  OR NEW.asset <> OLD.asset OR NEW.amount <> OLD.amount OR NEW.promotional <> OLD.promotional
  OR NEW.transaction_id <> OLD.transaction_id OR NEW.refunded_cents < OLD.refunded_cents OR NEW.created_at <> OLD.created_at
BEGIN SELECT RAISE(ABORT, 'a booked payment changes only by refunds'); END;
CREATE TRIGGER booked_payment_stays BEFORE DELETE ON booked_payment
BEGIN SELECT RAISE(ABORT, 'booked payments are never deleted'); END;

-- The ledger's transactions of each payment.
CREATE TABLE payment_movement (
  transaction_id BLOB NOT NULL PRIMARY KEY CHECK (length(transaction_id) = 16),
  payment_seq    INTEGER NOT NULL REFERENCES booked_payment (payment_seq),
  -- payment, refund, debt, cover.
  role           TEXT NOT NULL CHECK (length(role) BETWEEN 1 AND 32),
  -- Of the payment's asset, and promotional credits.
  amount         INTEGER NOT NULL CHECK (amount BETWEEN 0 AND 9007199254740991),
  promotional    INTEGER NOT NULL CHECK (promotional BETWEEN 0 AND 9007199254740991)
) STRICT, WITHOUT ROWID;
CREATE INDEX payment_movement_by_payment ON payment_movement (payment_seq);
CREATE TRIGGER payment_movement_is_final BEFORE UPDATE ON payment_movement
BEGIN SELECT RAISE(ABORT, 'movements of payments never change'); END;
CREATE TRIGGER payment_movement_stays BEFORE DELETE ON payment_movement
BEGIN SELECT RAISE(ABORT, 'movements of payments are never deleted'); END;

-- What the processor refunded of each payment so far, also before the payment is known.
CREATE TABLE payment_refund (
  payment_intent TEXT NOT NULL PRIMARY KEY CHECK (length(payment_intent) BETWEEN 1 AND 255),
  charge_id      TEXT NOT NULL CHECK (length(charge_id) BETWEEN 1 AND 255),
  customer_id    TEXT CHECK (length(customer_id) BETWEEN 1 AND 255),
  cents          INTEGER NOT NULL CHECK (cents BETWEEN 1 AND 9007199254740991),
  created_at     INTEGER NOT NULL CHECK (created_at >= 0)
) STRICT, WITHOUT ROWID;
CREATE INDEX payment_refund_by_customer ON payment_refund (customer_id) WHERE customer_id IS NOT NULL;
CREATE TRIGGER payment_refund_grows BEFORE UPDATE ON payment_refund
WHEN NEW.payment_intent <> OLD.payment_intent OR NEW.cents < OLD.cents
BEGIN SELECT RAISE(ABORT, 'what was refunded only grows'); END;
CREATE TRIGGER payment_refund_stays BEFORE DELETE ON payment_refund
BEGIN SELECT RAISE(ABORT, 'refunds are never deleted'); END;

-- What was paid and could not be booked. A row is deleted when its payment is booked after all.
CREATE TABLE unbooked_payment (
  unbooked_seq    INTEGER PRIMARY KEY,
  -- The session or the invoice.
  source_id       TEXT NOT NULL UNIQUE CHECK (length(source_id) BETWEEN 1 AND 255),
  is_session      INTEGER NOT NULL CHECK (is_session IN (0, 1)),
  reason          TEXT NOT NULL CHECK (length(reason) BETWEEN 1 AND 32),
  event_id        TEXT NOT NULL CHECK (length(event_id) BETWEEN 1 AND 255),
  -- The amount in the smallest unit of the currency; null if the event has none.
  amount          INTEGER CHECK (amount BETWEEN -9007199254740991 AND 9007199254740991),
  currency        TEXT CHECK (length(currency) BETWEEN 1 AND 16),
  -- What the event says about the order.
  purpose         TEXT CHECK (length(purpose) BETWEEN 1 AND 64),
  operator_id     TEXT CHECK (length(operator_id) BETWEEN 1 AND 255),
  customer_id     TEXT CHECK (length(customer_id) BETWEEN 1 AND 255),
  subscription_id TEXT CHECK (length(subscription_id) BETWEEN 1 AND 255),
  invoice_id      TEXT CHECK (length(invoice_id) BETWEEN 1 AND 255),
  payment_intent  TEXT CHECK (length(payment_intent) BETWEEN 1 AND 255),
  sandbox         INTEGER NOT NULL CHECK (sandbox IN (0, 1)),
  created_at      INTEGER NOT NULL CHECK (created_at >= 0)
) STRICT;
CREATE INDEX unbooked_payment_by_customer ON unbooked_payment (customer_id) WHERE customer_id IS NOT NULL;
CREATE INDEX unbooked_payment_by_operator ON unbooked_payment (operator_id) WHERE operator_id IS NOT NULL;

-- Operators that a refund suspended. What an administrator decides ends the row, so that a payment never undoes it.
CREATE TABLE refund_suspension (
  operator_seq INTEGER PRIMARY KEY REFERENCES operator (operator_seq),
  created_at   INTEGER NOT NULL CHECK (created_at >= 0)
) STRICT;
CREATE TRIGGER operator_status_is_decided AFTER UPDATE OF account_status ON operator
BEGIN DELETE FROM refund_suspension WHERE operator_seq = NEW.operator_seq; END;
