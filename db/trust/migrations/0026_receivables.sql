-- What an operator owes after a refund of credits or stake that it had spent: an account of kind `receivable`, which is below zero by the
-- debt. Sandbox money that was paid for a stake is an asset of its own.

CREATE TABLE new_ledger_account (
  kind      TEXT NOT NULL CHECK (length(kind) BETWEEN 1 AND 32),
  -- operator_seq or agent_seq by the kind; 0 for accounts of the service.
  owner_seq INTEGER NOT NULL CHECK (owner_seq >= 0),
  asset     TEXT NOT NULL CHECK (length(asset) BETWEEN 1 AND 32),
  -- The administrator reads the name of the constraint if the operators of a former version have more than the ledger can hold together.
  balance   INTEGER NOT NULL DEFAULT 0
    CONSTRAINT "all pools together and all stakes together have at most 9007199254740991, as every account"
    CHECK (balance BETWEEN -9007199254740991 AND 9007199254740991),
  -- Of an agent's account, over all time: what pools granted, what others paid, what the agent paid.
  granted   INTEGER NOT NULL DEFAULT 0 CHECK (granted BETWEEN 0 AND 9007199254740991),
  earned    INTEGER NOT NULL DEFAULT 0 CHECK (earned BETWEEN 0 AND 9007199254740991),
  spent     INTEGER NOT NULL DEFAULT 0 CHECK (spent BETWEEN 0 AND 9007199254740991),
  -- Its newest movement.
  last_seq  INTEGER CHECK (last_seq > 0),
  PRIMARY KEY (kind, owner_seq, asset),
  -- Credits and cents come from issuance, and a debt is below zero. No other account can spend what it does not have.
  CHECK (balance >= 0 OR kind = 'issuance' OR kind = 'receivable'),
  CHECK (kind = 'agent' OR (granted = 0 AND earned = 0 AND spent = 0)),
  -- available = granted + earned - spent - locked, so no figure of an agent is larger than this sum.
  CHECK (granted + earned <= 9007199254740991)
) STRICT, WITHOUT ROWID;

INSERT INTO new_ledger_account (kind, owner_seq, asset, balance, granted, earned, spent, last_seq)
SELECT kind, owner_seq, asset, balance, granted, earned, spent, last_seq FROM ledger_account;

DROP TABLE ledger_account;
ALTER TABLE new_ledger_account RENAME TO ledger_account;

CREATE TRIGGER ledger_account_keeps_its_figures BEFORE UPDATE ON ledger_account
WHEN NEW.kind <> OLD.kind OR NEW.owner_seq <> OLD.owner_seq OR NEW.asset <> OLD.asset
  OR NEW.granted < OLD.granted OR NEW.earned < OLD.earned OR NEW.spent < OLD.spent OR NEW.last_seq < OLD.last_seq
BEGIN SELECT RAISE(ABORT, 'figures of an account only grow'); END;
CREATE TRIGGER ledger_account_stays BEFORE DELETE ON ledger_account
BEGIN SELECT RAISE(ABORT, 'accounts are never deleted'); END;

INSERT INTO ledger_account (kind, owner_seq, asset) VALUES ('issuance', 0, 'sandbox_cents');

-- Every other account is credited before it is debited.
CREATE TRIGGER movement_opens_receivable BEFORE INSERT ON movement
WHEN NEW.debit_kind = 'receivable'
BEGIN
  INSERT INTO ledger_account (kind, owner_seq, asset) VALUES ('receivable', NEW.debit_owner, NEW.asset) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER movement_covers_a_debt BEFORE INSERT ON movement
WHEN NEW.credit_kind = 'receivable' AND NEW.credit_after > 0
BEGIN SELECT RAISE(ABORT, 'no more than a debt is covered'); END;

-- For comparing escrows, slashes, payments and refunds with the ledger, without reading the transfers.
DROP INDEX movement_by_transaction;
CREATE INDEX movement_by_transaction ON movement (transaction_id)
  WHERE debit_kind = 'locked' OR credit_kind = 'locked' OR credit_kind = 'slashed' OR kind = 'SETTLEMENT' OR credit_kind = 'issuance'
    OR credit_kind = 'receivable';
