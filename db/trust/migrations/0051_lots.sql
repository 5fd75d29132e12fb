-- Lots: from which payment the credits of an account come, and from when they can be withdrawn. The paid credits of an account are the sum
-- of its lots. Of promotional credits only those of a purchase have lots. Maturing changes no row: a lot is compared with the clock.

CREATE TABLE credit_lot (
  -- An account of the ledger.
  kind        TEXT NOT NULL CHECK (length(kind) BETWEEN 1 AND 32),
  owner_seq   INTEGER NOT NULL CHECK (owner_seq >= 0),
  asset       TEXT NOT NULL CHECK (length(asset) BETWEEN 1 AND 32),
  -- Of locked credits, the transaction that locked them, so that each escrow and withdrawal keeps its own lots; zeros otherwise.
  lock        BLOB NOT NULL CHECK (length(lock) = 16),
  -- Milliseconds since 1970.
  matures_at  INTEGER NOT NULL CHECK (matures_at >= 0),
  -- The booked payment that bought them; 0 for none, and for credits from before there were lots.
  payment_seq INTEGER NOT NULL CHECK (payment_seq >= 0),
  amount      INTEGER NOT NULL CHECK (amount BETWEEN 1 AND 9007199254740991),
  PRIMARY KEY (kind, owner_seq, asset, lock, matures_at, payment_seq),
  CHECK ((kind = 'locked') = (lock <> zeroblob(16)))
) STRICT, WITHOUT ROWID;
CREATE INDEX credit_lot_by_payment ON credit_lot (payment_seq) WHERE payment_seq > 0;

CREATE TRIGGER credit_lot_keeps BEFORE UPDATE ON credit_lot
WHEN NEW.kind <> OLD.kind OR NEW.owner_seq <> OLD.owner_seq OR NEW.asset <> OLD.asset OR NEW.lock <> OLD.lock
  OR NEW.matures_at <> OLD.matures_at OR NEW.payment_seq <> OLD.payment_seq
BEGIN SELECT RAISE(ABORT, 'only the amount of a lot changes'); END;

-- The sum of the lots of an account, so that each movement can compare it with the balance.
CREATE TABLE lot_total (
  kind      TEXT NOT NULL,
  owner_seq INTEGER NOT NULL,
  asset     TEXT NOT NULL,
  amount    INTEGER NOT NULL CHECK (amount BETWEEN 0 AND 9007199254740991),
  PRIMARY KEY (kind, owner_seq, asset)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER credit_lot_is_counted AFTER INSERT ON credit_lot
BEGIN
  INSERT INTO lot_total (kind, owner_seq, asset, amount) VALUES (NEW.kind, NEW.owner_seq, NEW.asset, NEW.amount)
  ON CONFLICT DO UPDATE SET amount = amount + excluded.amount;
END;
CREATE TRIGGER credit_lot_change_is_counted AFTER UPDATE OF amount ON credit_lot
BEGIN
  UPDATE lot_total SET amount = amount + NEW.amount - OLD.amount
  WHERE kind = NEW.kind AND owner_seq = NEW.owner_seq AND asset = NEW.asset;
END;
CREATE TRIGGER credit_lot_end_is_counted AFTER DELETE ON credit_lot
BEGIN
  UPDATE lot_total SET amount = amount - OLD.amount
  WHERE kind = OLD.kind AND owner_seq = OLD.owner_seq AND asset = OLD.asset;
END;

-- The operator that made a payment, and when the credits of the payment mature without a dispute.
CREATE TABLE lot_payment (
  payment_seq  INTEGER PRIMARY KEY REFERENCES booked_payment (payment_seq),
  operator_seq INTEGER NOT NULL REFERENCES operator (operator_seq),
  matures_at   INTEGER NOT NULL CHECK (matures_at >= 0)
) STRICT;
CREATE TRIGGER lot_payment_keeps BEFORE UPDATE ON lot_payment
WHEN NEW.payment_seq <> OLD.payment_seq OR NEW.operator_seq <> OLD.operator_seq OR NEW.matures_at > OLD.matures_at
BEGIN SELECT RAISE(ABORT, 'a payment can only mature earlier'); END;
CREATE TRIGGER lot_payment_stays BEFORE DELETE ON lot_payment
BEGIN SELECT RAISE(ABORT, 'payments are never deleted'); END;

-- All paid credits so far are mature, in one lot an account, and one a lock.
INSERT INTO credit_lot (kind, owner_seq, asset, lock, matures_at, payment_seq, amount)
SELECT kind, owner_seq, asset, zeroblob(16), CAST(unixepoch('subsec') * 1000 AS INTEGER), 0, balance FROM ledger_account
WHERE asset = 'paid' AND balance > 0 AND kind IN ('pool', 'agent', 'unclaimed');
INSERT INTO credit_lot (kind, owner_seq, asset, lock, matures_at, payment_seq, amount)
SELECT 'locked', hirer_seq, 'paid', lock_transaction_id, CAST(unixepoch('subsec') * 1000 AS INTEGER), 0, paid FROM escrow
WHERE paid > 0 AND status IN ('HELD', 'DELIVERED')
UNION ALL
SELECT 'locked', agent_seq, 'paid', lock_transaction_id, CAST(unixepoch('subsec') * 1000 AS INTEGER), 0, amount FROM payout
WHERE status IN ('queued', 'submitted');

-- A movement and the lots that it moves are written together, the lots first.
CREATE TRIGGER movement_moves_lots AFTER INSERT ON movement
WHEN NEW.asset = 'paid'
BEGIN
  SELECT RAISE(ABORT, 'the lots of an account are not its paid credits')
  WHERE (NEW.debit_kind IN ('pool', 'agent', 'locked', 'unclaimed') AND NEW.debit_after <> coalesce((SELECT amount FROM lot_total
      WHERE kind = NEW.debit_kind AND owner_seq = NEW.debit_owner AND asset = 'paid'), 0))
    OR (NEW.credit_kind IN ('pool', 'agent', 'locked', 'unclaimed') AND NEW.credit_after <> coalesce((SELECT amount FROM lot_total
      WHERE kind = NEW.credit_kind AND owner_seq = NEW.credit_owner AND asset = 'paid'), 0));
END;
CREATE TRIGGER movement_moves_promotional_lots AFTER INSERT ON movement
WHEN NEW.asset = 'promotional'
BEGIN
  SELECT RAISE(ABORT, 'the lots of an account are more than its promotional credits')
  WHERE NEW.debit_after < (SELECT amount FROM lot_total
      WHERE kind = NEW.debit_kind AND owner_seq = NEW.debit_owner AND asset = 'promotional')
    OR NEW.credit_after < (SELECT amount FROM lot_total
      WHERE kind = NEW.credit_kind AND owner_seq = NEW.credit_owner AND asset = 'promotional');
END;
