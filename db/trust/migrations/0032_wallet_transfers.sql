-- What administrators send from custodial wallets. Times are milliseconds since 1970.

CREATE TABLE wallet_transfer (
  transfer_seq INTEGER PRIMARY KEY,
  -- The custodial wallet and the receiver, as EIP-55 writes them.
  address      TEXT NOT NULL CHECK (length(address) = 42 AND address GLOB '0x*'),
  to_address   TEXT NOT NULL CHECK (length(to_address) = 42 AND to_address GLOB '0x*'),
  asset        TEXT NOT NULL CHECK (length(asset) BETWEEN 1 AND 32),
  -- The amount of the command, in the smallest unit: decimal digits, or all.
  requested    TEXT NOT NULL CHECK (length(requested) BETWEEN 1 AND 78),
  -- What distinguishes it from an equal transfer; empty for none.
  reference    TEXT NOT NULL CHECK (length(reference) <= 256),
  status       TEXT NOT NULL CHECK (status IN ('open', 'confirmed', 'failed')),
  last_error   TEXT CHECK (length(last_error) BETWEEN 1 AND 1024),
  created_at   INTEGER NOT NULL CHECK (created_at >= 0),
  updated_at   INTEGER NOT NULL CHECK (updated_at >= 0),
  CHECK (last_error IS NOT NULL OR status <> 'failed')
) STRICT;

CREATE INDEX wallet_transfer_by_address ON wallet_transfer (address);
-- A wallet sends one transfer after the other, so that a repeated command continues it instead of sending twice.
CREATE UNIQUE INDEX wallet_transfer_open ON wallet_transfer (address) WHERE status = 'open';

CREATE TRIGGER wallet_transfer_moves_forward BEFORE UPDATE ON wallet_transfer
WHEN OLD.status <> 'open' OR NEW.transfer_seq <> OLD.transfer_seq OR NEW.address <> OLD.address
  OR NEW.to_address <> OLD.to_address OR NEW.asset <> OLD.asset OR NEW.requested <> OLD.requested
  OR NEW.reference <> OLD.reference OR NEW.created_at <> OLD.created_at
BEGIN SELECT RAISE(ABORT, 'a transfer only moves forward'); END;
CREATE TRIGGER wallet_transfer_stays BEFORE DELETE ON wallet_transfer
BEGIN SELECT RAISE(ABORT, 'transfers are never deleted'); END;

-- The signed transactions of these transfers: the transfer, and the coins for its gas, which the treasury sends. A row is durable before its
-- transaction is broadcast.
CREATE TABLE wallet_transaction (
  transaction_seq INTEGER PRIMARY KEY,
  transfer_seq    INTEGER NOT NULL REFERENCES wallet_transfer (transfer_seq),
  -- send or gas.
  purpose         TEXT NOT NULL CHECK (length(purpose) BETWEEN 1 AND 32),
  chain_id        INTEGER NOT NULL CHECK (chain_id > 0),
  -- The address that signed it and counts the nonce.
  sender          TEXT NOT NULL CHECK (length(sender) = 42 AND sender GLOB '0x*'),
  nonce           INTEGER NOT NULL CHECK (nonce >= 0),
  tx_hash         BLOB NOT NULL UNIQUE CHECK (length(tx_hash) = 32),
  raw_transaction BLOB NOT NULL CHECK (length(raw_transaction) BETWEEN 1 AND 65536),
  created_at      INTEGER NOT NULL CHECK (created_at >= 0)
) STRICT;

CREATE INDEX wallet_transaction_by_transfer ON wallet_transaction (transfer_seq);
CREATE INDEX wallet_transaction_by_nonce ON wallet_transaction (chain_id, sender, nonce);

CREATE TRIGGER wallet_transaction_is_of_an_open_transfer BEFORE INSERT ON wallet_transaction
WHEN (SELECT status FROM wallet_transfer WHERE transfer_seq = NEW.transfer_seq) IS NOT 'open'
BEGIN SELECT RAISE(ABORT, 'only an open transfer has transactions'); END;
CREATE TRIGGER wallet_transaction_is_final BEFORE UPDATE ON wallet_transaction
BEGIN SELECT RAISE(ABORT, 'transactions of transfers never change'); END;
CREATE TRIGGER wallet_transaction_stays BEFORE DELETE ON wallet_transaction
BEGIN SELECT RAISE(ABORT, 'transactions of transfers are never deleted'); END;
