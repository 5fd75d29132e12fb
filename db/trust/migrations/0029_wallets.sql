-- Custodial wallets: one EVM address for each operator and agent that asked for its own. Times are milliseconds since 1970.

CREATE TABLE custodial_wallet (
  -- Counts up from 1.
  wallet_seq    INTEGER PRIMARY KEY,
  owner_kind    TEXT NOT NULL CHECK (length(owner_kind) BETWEEN 1 AND 32),
  -- operator_seq or agent_seq by the kind.
  owner_seq     INTEGER NOT NULL CHECK (owner_seq > 0),
  -- In the mixed case of EIP-55, so that the same address is never written in two ways.
  address       TEXT NOT NULL UNIQUE CHECK (length(address) = 42 AND substr(address, 1, 2) = '0x'),
  -- The private key, sealed under the master key.
  encrypted_key TEXT NOT NULL CHECK (length(encrypted_key) BETWEEN 64 AND 1024),
  created_at    INTEGER NOT NULL CHECK (created_at >= 0),
  UNIQUE (owner_kind, owner_seq)
) STRICT;

CREATE TRIGGER custodial_wallet_has_an_owner BEFORE INSERT ON custodial_wallet
BEGIN
  SELECT RAISE(ABORT, 'the owner of a wallet must exist')
  WHERE (NEW.owner_kind = 'operator' AND NOT EXISTS (SELECT 1 FROM operator WHERE operator_seq = NEW.owner_seq))
     OR (NEW.owner_kind = 'agent' AND NOT EXISTS (SELECT 1 FROM agent WHERE agent_seq = NEW.owner_seq));
END;
CREATE TRIGGER custodial_wallet_is_final BEFORE UPDATE ON custodial_wallet
BEGIN SELECT RAISE(ABORT, 'wallets never change'); END;
-- Somebody may send money to an address at any time, so its key must stay.
CREATE TRIGGER custodial_wallet_stays BEFORE DELETE ON custodial_wallet
BEGIN SELECT RAISE(ABORT, 'wallets are never deleted'); END;
