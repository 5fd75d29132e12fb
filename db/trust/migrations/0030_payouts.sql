-- Withdrawals of agents' credits: the credits are locked, and a payout rail pays their worth to a custodial wallet.
-- queued -> submitted -> confirmed or failed. Times are milliseconds since 1970.

CREATE TABLE payout (
  payout_seq          INTEGER PRIMARY KEY,
  withdrawal_id       BLOB NOT NULL UNIQUE CHECK (length(withdrawal_id) = 16),
  agent_seq           INTEGER NOT NULL REFERENCES agent (agent_seq),
  -- Paid credits, and their worth when they were locked.
  amount              INTEGER NOT NULL CHECK (amount BETWEEN 1 AND 9007199254740991),
  usd_cents           INTEGER NOT NULL CHECK (usd_cents BETWEEN 1 AND 9007199254740991),
  -- The custodial wallet that is paid, as EIP-55 writes it.
  address             TEXT NOT NULL CHECK (length(address) = 42 AND address GLOB '0x*'),
  -- The client's name of the withdrawal.
  reference           TEXT NOT NULL CHECK (length(reference) BETWEEN 1 AND 256),
  status              TEXT NOT NULL CHECK (status IN ('queued', 'submitted', 'confirmed', 'failed')),
  -- The rail that pays it; null until it is submitted.
  rail                TEXT CHECK (length(rail) BETWEEN 1 AND 32),
  -- Why no rail pays it until an administrator decides: restored, administrator. Null for a payout that is paid as usual.
  held                TEXT CHECK (length(held) BETWEEN 1 AND 32),
  -- The receipt of the withdrawal.
  receipt_seq         INTEGER NOT NULL UNIQUE REFERENCES receipt (receipt_seq),
  -- The LOCK of the credits.
  lock_transaction_id BLOB NOT NULL UNIQUE CHECK (length(lock_transaction_id) = 16),
  -- The WITHDRAWAL of a confirmed payout; the UNLOCK of a failed one.
  end_transaction_id  BLOB UNIQUE CHECK (length(end_transaction_id) = 16),
  -- What names the payment: the hash of its transaction, or the administrator's text.
  external_reference  TEXT CHECK (length(external_reference) BETWEEN 1 AND 256),
  -- Why the newest attempt failed; why the payout failed.
  last_error          TEXT CHECK (length(last_error) BETWEEN 1 AND 1024),
  -- The number of its rows in payout_transaction.
  attempts            INTEGER NOT NULL CHECK (attempts >= 0),
  created_at          INTEGER NOT NULL CHECK (created_at >= 0),
  updated_at          INTEGER NOT NULL CHECK (updated_at >= 0),
  UNIQUE (agent_seq, reference),
  CHECK (rail IS NULL OR status <> 'queued'),
  CHECK (rail IS NOT NULL OR NOT status IN ('submitted', 'confirmed')),
  CHECK ((end_transaction_id IS NOT NULL) = (status IN ('confirmed', 'failed'))),
  CHECK ((external_reference IS NOT NULL) = (status = 'confirmed')),
  CHECK (last_error IS NOT NULL OR status <> 'failed'),
  CHECK (held IS NULL OR status IN ('queued', 'submitted')),
  CHECK (attempts = 0 OR rail IS NOT NULL)
) STRICT;

-- What rails pay next, oldest first, and the lists of administrators and agents. Every index ends in payout_seq.
CREATE INDEX payout_by_status ON payout (status);
CREATE INDEX payout_by_agent ON payout (agent_seq);

CREATE TRIGGER payout_begins_queued BEFORE INSERT ON payout
WHEN NEW.status <> 'queued' OR NEW.held IS NOT NULL OR NEW.last_error IS NOT NULL OR NEW.attempts <> 0
BEGIN SELECT RAISE(ABORT, 'a payout begins in the queue'); END;
CREATE TRIGGER payout_moves_forward BEFORE UPDATE ON payout
WHEN NOT (
    (OLD.status = 'queued' AND NEW.status IN ('queued', 'submitted', 'failed'))
    OR (OLD.status = 'submitted' AND NEW.status IN ('submitted', 'confirmed', 'failed'))
  )
  OR NEW.payout_seq <> OLD.payout_seq OR NEW.withdrawal_id <> OLD.withdrawal_id OR NEW.agent_seq <> OLD.agent_seq
  OR NEW.amount <> OLD.amount OR NEW.usd_cents <> OLD.usd_cents OR NEW.address <> OLD.address OR NEW.reference <> OLD.reference
  OR NEW.receipt_seq <> OLD.receipt_seq OR NEW.lock_transaction_id <> OLD.lock_transaction_id
  OR NEW.created_at <> OLD.created_at OR NEW.attempts < OLD.attempts
  OR (OLD.rail IS NOT NULL AND NEW.rail IS NOT OLD.rail)
BEGIN SELECT RAISE(ABORT, 'a payout only moves forward'); END;
CREATE TRIGGER payout_stays BEFORE DELETE ON payout
BEGIN SELECT RAISE(ABORT, 'payouts are never deleted'); END;

-- The signed transactions of payouts on a chain. A row is durable before its transaction is broadcast. Rows of one payout share a nonce
-- while they replace each other; another nonce is used only when the old one is final with another transaction.
CREATE TABLE payout_transaction (
  transaction_seq INTEGER PRIMARY KEY,
  payout_seq      INTEGER NOT NULL REFERENCES payout (payout_seq),
  chain_id        INTEGER NOT NULL CHECK (chain_id > 0),
  -- The address that signed it and counts the nonce.
  sender          TEXT NOT NULL CHECK (length(sender) = 42 AND sender GLOB '0x*'),
  nonce           INTEGER NOT NULL CHECK (nonce >= 0),
  tx_hash         BLOB NOT NULL UNIQUE CHECK (length(tx_hash) = 32),
  raw_transaction BLOB NOT NULL CHECK (length(raw_transaction) BETWEEN 1 AND 65536),
  created_at      INTEGER NOT NULL CHECK (created_at >= 0)
) STRICT;

CREATE INDEX payout_transaction_by_payout ON payout_transaction (payout_seq);
CREATE INDEX payout_transaction_by_nonce ON payout_transaction (chain_id, sender, nonce);

CREATE TRIGGER payout_transaction_pays_a_submitted_payout BEFORE INSERT ON payout_transaction
WHEN (SELECT status FROM payout WHERE payout_seq = NEW.payout_seq) IS NOT 'submitted'
BEGIN SELECT RAISE(ABORT, 'only a submitted payout has transactions'); END;
CREATE TRIGGER payout_transaction_is_counted AFTER INSERT ON payout_transaction
BEGIN UPDATE payout SET attempts = attempts + 1 WHERE payout_seq = NEW.payout_seq; END;
CREATE TRIGGER payout_transaction_is_final BEFORE UPDATE ON payout_transaction
BEGIN SELECT RAISE(ABORT, 'transactions of payouts never change'); END;
CREATE TRIGGER payout_transaction_stays BEFORE DELETE ON payout_transaction
BEGIN SELECT RAISE(ABORT, 'transactions of payouts are never deleted'); END;
