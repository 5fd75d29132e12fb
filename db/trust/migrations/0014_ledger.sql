-- The double-entry ledger of credits and cents. A movement is one row that names the account it debits and the account it credits, so
-- every movement is balanced; triggers book it on both accounts. Accounts are (kind, owner), with a balance for each asset.

CREATE TABLE ledger_account (
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
  -- Credits and cents come from issuance. No other account can spend what it does not have.
  CHECK (balance >= 0 OR kind = 'issuance'),
  CHECK (kind = 'agent' OR (granted = 0 AND earned = 0 AND spent = 0)),
  -- available = granted + earned - spent - locked, so no figure of an agent is larger than this sum.
  CHECK (granted + earned <= 9007199254740991)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER ledger_account_keeps_its_figures BEFORE UPDATE ON ledger_account
WHEN NEW.kind <> OLD.kind OR NEW.owner_seq <> OLD.owner_seq OR NEW.asset <> OLD.asset
  OR NEW.granted < OLD.granted OR NEW.earned < OLD.earned OR NEW.spent < OLD.spent OR NEW.last_seq < OLD.last_seq
BEGIN SELECT RAISE(ABORT, 'figures of an account only grow'); END;
CREATE TRIGGER ledger_account_stays BEFORE DELETE ON ledger_account
BEGIN SELECT RAISE(ABORT, 'accounts are never deleted'); END;

INSERT INTO ledger_account (kind, owner_seq, asset)
VALUES ('issuance', 0, 'promotional'), ('issuance', 0, 'paid'), ('issuance', 0, 'sandbox'), ('issuance', 0, 'cents');

CREATE TABLE movement (
  movement_seq   INTEGER PRIMARY KEY,
  transaction_id BLOB NOT NULL CHECK (length(transaction_id) = 16),
  ordinal        INTEGER NOT NULL CHECK (ordinal BETWEEN 0 AND 6),
  kind           TEXT NOT NULL CHECK (length(kind) BETWEEN 1 AND 32),
  asset          TEXT NOT NULL CHECK (length(asset) BETWEEN 1 AND 32),
  amount         INTEGER NOT NULL CHECK (amount BETWEEN 1 AND 9007199254740991),
  debit_kind     TEXT NOT NULL,
  debit_owner    INTEGER NOT NULL,
  credit_kind    TEXT NOT NULL,
  credit_owner   INTEGER NOT NULL,
  -- The balances of both accounts after the movement.
  debit_after    INTEGER NOT NULL,
  credit_after   INTEGER NOT NULL,
  -- The movements before it of the same accounts, of any asset; null for the first of an account. So the movements of an account are a
  -- list that is read newest first. An index would be written in two random places for each movement, which takes longer than all else.
  debit_prev     INTEGER CHECK (debit_prev < movement_seq),
  credit_prev    INTEGER CHECK (credit_prev < movement_seq),
  -- Milliseconds since 1970.
  created_at     INTEGER NOT NULL CHECK (created_at >= 0),
  reference      TEXT CHECK (length(reference) BETWEEN 1 AND 256),
  memo           TEXT CHECK (length(memo) BETWEEN 1 AND 256),
  receipt_seq    INTEGER REFERENCES receipt (receipt_seq),
  salt           BLOB NOT NULL CHECK (length(salt) = 16),
  -- The hashes of the journal entries: one for each side that is an agent's available credits.
  debit_hash     BLOB CHECK (length(debit_hash) = 32),
  credit_hash    BLOB CHECK (length(credit_hash) = 32),
  CHECK (debit_kind <> credit_kind OR debit_owner <> credit_owner),
  CHECK ((debit_kind = 'agent') = (debit_hash IS NOT NULL)),
  CHECK ((credit_kind = 'agent') = (credit_hash IS NOT NULL))
) STRICT;

CREATE INDEX movement_by_receipt ON movement (receipt_seq) WHERE receipt_seq IS NOT NULL;
-- For comparing escrows and slashes with the ledger, without reading the transfers.
CREATE INDEX movement_by_transaction ON movement (transaction_id)
  WHERE debit_kind = 'locked' OR credit_kind = 'locked' OR credit_kind = 'slashed';

CREATE TRIGGER movement_is_final BEFORE UPDATE ON movement
BEGIN SELECT RAISE(ABORT, 'movements never change'); END;
CREATE TRIGGER movement_stays BEFORE DELETE ON movement
BEGIN SELECT RAISE(ABORT, 'movements are never deleted'); END;

-- `changes()` is the number of rows that the last statement of this trigger changed: none where the movement states something else than its
-- account has.
CREATE TRIGGER movement_is_booked AFTER INSERT ON movement
BEGIN
  SELECT RAISE(ABORT, 'the movement does not follow the last one of its account')
  WHERE NEW.debit_prev IS NOT (SELECT max(last_seq) FROM ledger_account
      WHERE kind = NEW.debit_kind AND owner_seq = NEW.debit_owner)
    OR NEW.credit_prev IS NOT (SELECT max(last_seq) FROM ledger_account
      WHERE kind = NEW.credit_kind AND owner_seq = NEW.credit_owner);
  -- What an agent locks is not spent yet.
  UPDATE ledger_account SET
    balance = balance - NEW.amount,
    spent = spent + iif(NEW.debit_kind = 'agent' AND NOT (NEW.credit_kind = 'locked' AND NEW.credit_owner = NEW.debit_owner),
      NEW.amount, 0),
    last_seq = NEW.movement_seq
  WHERE kind = NEW.debit_kind AND owner_seq = NEW.debit_owner AND asset = NEW.asset AND balance - NEW.amount = NEW.debit_after;
  SELECT RAISE(ABORT, 'the movement states another balance than its account has') WHERE changes() <> 1;
  -- What it unlocks is not earned.
  INSERT INTO ledger_account (kind, owner_seq, asset, balance, granted, earned, last_seq)
  VALUES (NEW.credit_kind, NEW.credit_owner, NEW.asset, NEW.amount,
    iif(NEW.credit_kind = 'agent' AND NEW.debit_kind = 'pool', NEW.amount, 0),
    iif(NEW.credit_kind = 'agent' AND NEW.debit_kind <> 'pool'
      AND NOT (NEW.debit_kind = 'locked' AND NEW.debit_owner = NEW.credit_owner), NEW.amount, 0),
    NEW.movement_seq)
  ON CONFLICT DO UPDATE SET
    balance = balance + excluded.balance,
    granted = granted + excluded.granted,
    earned = earned + excluded.earned,
    last_seq = excluded.last_seq;
  SELECT RAISE(ABORT, 'the movement states another balance than its account has')
  WHERE NEW.credit_after IS NOT (SELECT balance FROM ledger_account
    WHERE kind = NEW.credit_kind AND owner_seq = NEW.credit_owner AND asset = NEW.asset);
END;

-- What leaves the locked credits for another account is spent.
CREATE TRIGGER movement_spends_locked_credits AFTER INSERT ON movement
WHEN NEW.debit_kind = 'locked' AND NOT (NEW.credit_kind = 'agent' AND NEW.credit_owner = NEW.debit_owner)
BEGIN
  UPDATE ledger_account SET spent = spent + NEW.amount
  WHERE kind = 'agent' AND owner_seq = NEW.debit_owner AND asset = NEW.asset;
END;

-- The end of an agent's journal, and the access tier that its balance gave when it was last evaluated.
CREATE TABLE agent_credit (
  agent_seq      INTEGER PRIMARY KEY REFERENCES agent (agent_seq),
  entries        INTEGER NOT NULL CHECK (entries >= 0),
  head           BLOB CHECK (length(head) = 32),
  evaluated_tier TEXT NOT NULL CHECK (length(evaluated_tier) BETWEEN 1 AND 32),
  evaluated_at   INTEGER NOT NULL CHECK (evaluated_at >= 0),
  CHECK ((entries = 0) = (head IS NULL))
) STRICT;
CREATE TRIGGER agent_credit_moves_forward BEFORE UPDATE ON agent_credit
WHEN NEW.agent_seq <> OLD.agent_seq OR NEW.entries < OLD.entries
BEGIN SELECT RAISE(ABORT, 'a journal only grows'); END;
CREATE TRIGGER agent_credit_stays BEFORE DELETE ON agent_credit
BEGIN SELECT RAISE(ABORT, 'journals are never deleted'); END;

-- The pools and stakes that operators had as columns become movements from issuance. A transaction id is a UUIDv7 whose last four bits
-- are 0.
INSERT INTO movement (movement_seq, transaction_id, ordinal, kind, asset, amount, debit_kind, debit_owner, credit_kind, credit_owner,
  debit_after, credit_after, debit_prev, created_at, memo, salt)
SELECT
  seq,
  unhex(printf('%012x7', at) || substr(hex(randomblob(2)), 1, 3) || substr('89ab', 1 + abs(random() % 4), 1)
    || substr(hex(randomblob(7)), 1, 14) || '0'),
  0, 'ADJUSTMENT', asset, amount, 'issuance', 0, account, operator_seq,
  -sum(amount) OVER (PARTITION BY asset ORDER BY seq), amount, nullif(seq - 1, 0), at, 'opening balance', randomblob(16)
FROM (
  SELECT *, row_number() OVER (ORDER BY asset, operator_seq) AS seq, CAST(unixepoch('subsec') * 1000 AS INTEGER) AS at FROM (
    SELECT operator_seq, 'promotional' AS asset, 'pool' AS account, credits AS amount FROM operator WHERE credits > 0
    UNION ALL
    SELECT operator_seq, 'cents', 'stake', stake_cents FROM operator WHERE stake_cents > 0
  )
)
ORDER BY seq;

DROP TRIGGER operator_change_is_marked;
ALTER TABLE operator DROP COLUMN credits;
ALTER TABLE operator DROP COLUMN stake_cents;
CREATE TRIGGER operator_change_is_marked
AFTER UPDATE OF account_status, plan, self_provisioned, pardoned_at ON operator
BEGIN UPDATE authority_mark SET mark = abs(random() % 9007199254740991); END;
-- Who caches agents beyond a transaction relies on the mark.
DROP TRIGGER agent_change_is_marked;
CREATE TRIGGER agent_change_is_marked AFTER UPDATE OF state, sponsor_seq, name ON agent
BEGIN UPDATE authority_mark SET mark = abs(random() % 9007199254740991); END;
