-- AGORA: negotiations of agents. Their steps are the entries of one hash-chained ledger. Times are milliseconds since 1970.

CREATE TABLE agora_entry (
  -- Counts up from 1; the index of an entry is one less.
  entry_seq   INTEGER PRIMARY KEY,
  proposal_id BLOB NOT NULL CHECK (length(proposal_id) = 16),
  -- Counts up from 1 in each proposal.
  step        INTEGER NOT NULL CHECK (step BETWEEN 1 AND 32),
  action      TEXT NOT NULL CHECK (length(action) BETWEEN 1 AND 32),
  -- Who took the step and signed it, and the other party.
  from_seq    INTEGER NOT NULL REFERENCES agent (agent_seq),
  to_seq      INTEGER NOT NULL REFERENCES agent (agent_seq) CHECK (to_seq <> from_seq),
  -- Canonical JSON; null for a step that offers no terms.
  terms       TEXT CHECK (length(CAST(terms AS BLOB)) BETWEEN 2 AND 16384),
  -- The agent's signature, and the rest of what it covers.
  audience    TEXT NOT NULL CHECK (length(audience) BETWEEN 1 AND 1024),
  nonce       TEXT NOT NULL CHECK (length(nonce) BETWEEN 16 AND 64),
  expires_at  TEXT NOT NULL CHECK (length(expires_at) BETWEEN 20 AND 64),
  signature   BLOB NOT NULL CHECK (length(signature) = 64),
  entry_hash  BLOB NOT NULL CHECK (length(entry_hash) = 32),
  created_at  INTEGER NOT NULL CHECK (created_at >= 0),
  UNIQUE (proposal_id, step),
  -- An agent finds the step of a request whose response it did not get.
  UNIQUE (from_seq, nonce)
) STRICT;

CREATE TRIGGER agora_entry_is_final BEFORE UPDATE ON agora_entry
BEGIN SELECT RAISE(ABORT, 'entries of the AGORA ledger never change'); END;
CREATE TRIGGER agora_entry_stays BEFORE DELETE ON agora_entry
BEGIN SELECT RAISE(ABORT, 'entries of the AGORA ledger are never deleted'); END;

CREATE TRIGGER agora_entry_continues BEFORE INSERT ON agora_entry
BEGIN
  SELECT RAISE(ABORT, 'an entry of the AGORA ledger has the number after the last one')
  WHERE NEW.entry_seq <> coalesce((SELECT max(entry_seq) FROM agora_entry), 0) + 1;
  SELECT RAISE(ABORT, 'a step of a negotiation has the number after the last one')
  WHERE NEW.step <> coalesce((SELECT max(step) FROM agora_entry WHERE proposal_id = NEW.proposal_id), 0) + 1;
  SELECT RAISE(ABORT, 'the negotiation has ended')
  WHERE (
      SELECT action FROM agora_entry WHERE proposal_id = NEW.proposal_id ORDER BY step DESC LIMIT 1
    ) IN ('accept', 'reject', 'withdraw');
END;
