-- Journals that are complete: what leaves an agent's locked credits is an entry of its journal too, and pools have journals. A movement
-- changes at most one pool. The entry of a pool has no column for its balance and the movement before it: both are those of its side.

ALTER TABLE movement ADD COLUMN pool_hash BLOB CHECK (length(pool_hash) = 32);
-- The number of the entry in the journal of the pool, from 1.
ALTER TABLE movement ADD COLUMN pool_entry INTEGER CHECK (pool_entry > 0 AND (pool_entry IS NULL) = (pool_hash IS NULL));
-- The entry of the agent whose locked credits another account received: the movement before it of the agent's available credits, their
-- balance, which stays, and the hash.
ALTER TABLE movement ADD COLUMN payer_prev INTEGER CHECK (payer_prev < movement_seq);
ALTER TABLE movement ADD COLUMN payer_after INTEGER CHECK (payer_after >= 0);
ALTER TABLE movement ADD COLUMN payer_hash BLOB CHECK (length(payer_hash) = 32 AND payer_prev IS NOT NULL AND payer_after IS NOT NULL
  OR payer_hash IS NULL AND payer_prev IS NULL AND payer_after IS NULL);

CREATE TRIGGER movement_has_its_entries BEFORE INSERT ON movement
WHEN (NEW.debit_kind = 'pool' OR NEW.credit_kind = 'pool') <> (NEW.pool_hash IS NOT NULL)
  OR (NEW.debit_kind = 'locked' AND (NEW.credit_kind <> 'agent' OR NEW.credit_owner <> NEW.debit_owner)) <> (NEW.payer_hash IS NOT NULL)
BEGIN SELECT RAISE(ABORT, 'the movement lacks the entry of a journal'); END;

-- What leaves the locked credits for another account is spent, and is the newest movement of the agent's available credits.
DROP TRIGGER movement_spends_locked_credits;
CREATE TRIGGER movement_spends_locked_credits AFTER INSERT ON movement
WHEN NEW.payer_hash IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'the movement does not follow the last one of its account')
  WHERE NEW.payer_prev IS NOT (SELECT max(last_seq) FROM ledger_account WHERE kind = 'agent' AND owner_seq = NEW.debit_owner);
  UPDATE ledger_account SET spent = spent + NEW.amount, last_seq = NEW.movement_seq
  WHERE kind = 'agent' AND owner_seq = NEW.debit_owner AND asset = NEW.asset AND balance = NEW.payer_after;
  SELECT RAISE(ABORT, 'the movement states another balance than its account has') WHERE changes() <> 1;
END;

-- Where journals begin to be complete: what each account had when this migration ran. The sums of an agent's entries after it are added to
-- these figures. The journal of a pool begins with an entry of kind OPENING for each balance, in the order promotional, paid, sandbox.
CREATE TABLE journal_opening (
  kind           TEXT NOT NULL CHECK (length(kind) BETWEEN 1 AND 32),
  owner_seq      INTEGER NOT NULL CHECK (owner_seq > 0),
  asset          TEXT NOT NULL CHECK (length(asset) BETWEEN 1 AND 32),
  balance        INTEGER NOT NULL CHECK (balance >= 0),
  granted        INTEGER NOT NULL CHECK (granted >= 0),
  earned         INTEGER NOT NULL CHECK (earned >= 0),
  spent          INTEGER NOT NULL CHECK (spent >= 0),
  -- The newest movement of all accounts.
  after_seq      INTEGER NOT NULL CHECK (after_seq > 0),
  -- Of an agent, the hash of its newest entry.
  head           BLOB CHECK (length(head) = 32),
  -- Of a pool, what its entry is made of.
  transaction_id BLOB CHECK (length(transaction_id) = 16),
  salt           BLOB CHECK (length(salt) = 16),
  -- Milliseconds since 1970.
  created_at     INTEGER NOT NULL CHECK (created_at >= 0),
  PRIMARY KEY (kind, owner_seq, asset),
  CHECK ((kind = 'agent') = (head IS NOT NULL) AND (kind = 'pool') = (salt IS NOT NULL) AND (kind = 'pool') = (transaction_id IS NOT NULL)),
  CHECK (kind = 'agent' OR granted + earned + spent = 0)
) STRICT, WITHOUT ROWID;

INSERT INTO journal_opening (kind, owner_seq, asset, balance, granted, earned, spent, after_seq, head, transaction_id, salt, created_at)
SELECT
  kind, owner_seq, asset, balance, granted, earned, spent, after_seq, (SELECT head FROM agent_credit WHERE kind = 'agent' AND agent_seq = owner_seq),
  -- A UUIDv7 whose last four bits are 0.
  iif(kind = 'pool', unhex(printf('%012x7', at) || substr(hex(randomblob(2)), 1, 3) || substr('89ab', 1 + abs(random() % 4), 1)
    || substr(hex(randomblob(7)), 1, 14) || '0'), NULL),
  iif(kind = 'pool', randomblob(16), NULL), at
FROM ledger_account,
  (SELECT max(movement_seq) AS after_seq, CAST(unixepoch('subsec') * 1000 AS INTEGER) AS at FROM movement)
WHERE kind IN ('agent', 'pool');

CREATE TRIGGER journal_opening_is_complete BEFORE INSERT ON journal_opening
BEGIN SELECT RAISE(ABORT, 'openings of journals are never added'); END;
CREATE TRIGGER journal_opening_is_final BEFORE UPDATE ON journal_opening
BEGIN SELECT RAISE(ABORT, 'openings of journals never change'); END;
CREATE TRIGGER journal_opening_stays BEFORE DELETE ON journal_opening
BEGIN SELECT RAISE(ABORT, 'openings of journals are never deleted'); END;

-- Every 256th entry of a journal, with its time. An index of all entries would be written in random places with each movement; with these
-- a page of some time in the past begins at most 256 entries too late. What is missing is only slower.
CREATE TABLE journal_mark (
  kind         TEXT NOT NULL CHECK (length(kind) BETWEEN 1 AND 32),
  owner_seq    INTEGER NOT NULL CHECK (owner_seq > 0),
  movement_seq INTEGER NOT NULL REFERENCES movement (movement_seq),
  -- Milliseconds since 1970.
  created_at   INTEGER NOT NULL CHECK (created_at >= 0),
  PRIMARY KEY (kind, owner_seq, movement_seq)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER journal_mark_is_final BEFORE UPDATE ON journal_mark
BEGIN SELECT RAISE(ABORT, 'marks of journals never change'); END;
CREATE TRIGGER journal_mark_stays BEFORE DELETE ON journal_mark
BEGIN SELECT RAISE(ABORT, 'marks of journals are never deleted'); END;
