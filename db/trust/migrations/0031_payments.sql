-- Payments that agents authorized for products, and settlements of payment rails. Withdrawals are payouts.

CREATE TABLE agent_payment (
  payment_seq    INTEGER PRIMARY KEY,
  agent_seq      INTEGER NOT NULL REFERENCES agent (agent_seq),
  nonce          TEXT NOT NULL CHECK (length(nonce) BETWEEN 16 AND 64),
  product        TEXT NOT NULL CHECK (length(product) BETWEEN 1 AND 64),
  credits        INTEGER NOT NULL CHECK (credits BETWEEN 1 AND 9007199254740991),
  merchant       TEXT CHECK (length(merchant) BETWEEN 1 AND 256),
  -- The exact text that the digest covers.
  expires_at     TEXT NOT NULL CHECK (length(expires_at) BETWEEN 20 AND 64),
  -- The SPEND of the ledger.
  transaction_id BLOB NOT NULL CHECK (length(transaction_id) = 16),
  payment_digest BLOB NOT NULL CHECK (length(payment_digest) = 32),
  -- A nonce is used only once, so that a payment that is sent again is not charged again.
  UNIQUE (agent_seq, nonce)
) STRICT;
CREATE TRIGGER agent_payment_is_final BEFORE UPDATE ON agent_payment
BEGIN SELECT RAISE(ABORT, 'payments never change'); END;
CREATE TRIGGER agent_payment_stays BEFORE DELETE ON agent_payment
BEGIN SELECT RAISE(ABORT, 'payments are never deleted'); END;

CREATE TABLE settlement (
  settlement_seq INTEGER PRIMARY KEY,
  rail           TEXT NOT NULL CHECK (length(rail) BETWEEN 1 AND 32),
  reference      TEXT NOT NULL CHECK (length(reference) BETWEEN 1 AND 200),
  body_digest    BLOB NOT NULL CHECK (length(body_digest) = 32),
  agent_seq      INTEGER NOT NULL REFERENCES agent (agent_seq),
  credits        INTEGER NOT NULL CHECK (credits BETWEEN 1 AND 9007199254740991),
  amount_label   TEXT CHECK (length(amount_label) BETWEEN 1 AND 64),
  -- The SETTLEMENT of the ledger, and the id of the settlement.
  transaction_id BLOB NOT NULL CHECK (length(transaction_id) = 16),
  created_at     TEXT NOT NULL CHECK (length(created_at) = 24),
  -- What a rail settled is booked once.
  UNIQUE (rail, reference)
) STRICT;
CREATE TRIGGER settlement_is_final BEFORE UPDATE ON settlement
BEGIN SELECT RAISE(ABORT, 'settlements never change'); END;
CREATE TRIGGER settlement_stays BEFORE DELETE ON settlement
BEGIN SELECT RAISE(ABORT, 'settlements are never deleted'); END;
