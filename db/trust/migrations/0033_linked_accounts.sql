-- Linked accounts: from its first `linked` on, an operator has a leaf in the log of accounts for each receipt that was issued, finalized
-- or revoked while it was linked. Sequences are dense from 1, for each account and for each agent of an account.

-- The operators that were ever linked. The trigger account_leaf_counts changes a row with each leaf.
CREATE TABLE linked_account (
  account_seq  INTEGER PRIMARY KEY,
  account      BLOB NOT NULL UNIQUE CHECK (length(account) = 32),
  -- Null for an account that only a copy of the log knows: the restored database lacks its operator.
  operator_seq INTEGER UNIQUE REFERENCES operator (operator_seq),
  linked       INTEGER NOT NULL CHECK (linked IN (0, 1)),
  -- The sequence of the newest leaf.
  leaves       INTEGER NOT NULL CHECK (leaves >= 0)
) STRICT;

-- The agents with a leaf, each within its account.
CREATE TABLE linked_agent (
  linked_agent_seq INTEGER PRIMARY KEY,
  account_seq      INTEGER NOT NULL REFERENCES linked_account (account_seq),
  agent            BLOB NOT NULL UNIQUE CHECK (length(agent) = 32),
  -- The agent_sequence of the newest leaf.
  leaves           INTEGER NOT NULL CHECK (leaves >= 0)
) STRICT;

-- The leaves of the log of accounts. The entry of a leaf is computed from its row, its account and its agent. No index has the leaves of an
-- agent: each leaf would change another page of it, which is most of what a commit would write. The count of linked_agent says which is next.
CREATE TABLE account_leaf (
  leaf_seq         INTEGER PRIMARY KEY,
  leaf_hash        BLOB NOT NULL CHECK (length(leaf_hash) = 32),
  account_seq      INTEGER NOT NULL REFERENCES linked_account (account_seq),
  sequence         INTEGER NOT NULL CHECK (sequence >= 1),
  event            TEXT NOT NULL CHECK (length(event) BETWEEN 1 AND 32),
  receipt_id       BLOB CHECK (length(receipt_id) = 16),
  content_hash     BLOB CHECK (length(content_hash) = 32),
  linked_agent_seq INTEGER REFERENCES linked_agent (linked_agent_seq),
  agent_sequence   INTEGER CHECK (agent_sequence >= 1),
  at               TEXT NOT NULL CHECK (length(at) = 24),
  -- 1 for a leaf from a copy of the log. The restored database may lack its receipt.
  recovered        INTEGER NOT NULL CHECK (recovered IN (0, 1)),
  UNIQUE (account_seq, sequence),
  CHECK (sequence <> 1 OR event = 'linked'),
  CHECK ((receipt_id IS NULL) = (event IN ('linked', 'unlinked'))),
  CHECK ((content_hash IS NULL) = (receipt_id IS NULL)),
  CHECK ((linked_agent_seq IS NULL) = (receipt_id IS NULL)),
  CHECK ((agent_sequence IS NULL) = (receipt_id IS NULL))
) STRICT;
CREATE UNIQUE INDEX account_leaf_by_receipt ON account_leaf (receipt_id, event) WHERE receipt_id IS NOT NULL;

-- What there was when an account was linked or unlinked: the newest receipt, and the newest leaves of the logs of receipts and
-- revocations. What came between the two has a leaf.
CREATE TABLE linked_bound (
  leaf_seq        INTEGER PRIMARY KEY REFERENCES account_leaf (leaf_seq),
  receipt_seq     INTEGER NOT NULL CHECK (receipt_seq >= 0),
  receipt_leaf    INTEGER NOT NULL CHECK (receipt_leaf >= 0),
  revocation_leaf INTEGER NOT NULL CHECK (revocation_leaf >= 0)
) STRICT;

-- The counts follow the leaf that was just inserted. A leaf with the next sequence exists only then, so nothing else can change them.
CREATE TRIGGER linked_account_begins BEFORE INSERT ON linked_account
WHEN NEW.leaves <> 0 OR NEW.linked <> 0
BEGIN SELECT RAISE(ABORT, 'an account begins without leaves'); END;
CREATE TRIGGER linked_account_counts BEFORE UPDATE ON linked_account
WHEN NEW.account_seq <> OLD.account_seq OR NEW.account <> OLD.account OR NEW.operator_seq IS NOT OLD.operator_seq
  OR NEW.leaves <> OLD.leaves + 1
  OR NOT EXISTS (
    SELECT 1 FROM account_leaf
    WHERE leaf_seq = last_insert_rowid() AND account_seq = NEW.account_seq AND sequence = NEW.leaves
      AND (event <> 'unlinked') = NEW.linked
  )
BEGIN SELECT RAISE(ABORT, 'an account counts its leaves'); END;
CREATE TRIGGER linked_account_stays BEFORE DELETE ON linked_account
BEGIN SELECT RAISE(ABORT, 'linked accounts are never deleted'); END;

CREATE TRIGGER linked_agent_begins BEFORE INSERT ON linked_agent
WHEN NEW.leaves <> 0
BEGIN SELECT RAISE(ABORT, 'an agent begins without leaves'); END;
CREATE TRIGGER linked_agent_counts BEFORE UPDATE ON linked_agent
WHEN NEW.linked_agent_seq <> OLD.linked_agent_seq OR NEW.account_seq <> OLD.account_seq OR NEW.agent <> OLD.agent
  OR NEW.leaves <> OLD.leaves + 1
  OR NOT EXISTS (
    SELECT 1 FROM account_leaf
    WHERE leaf_seq = last_insert_rowid() AND linked_agent_seq = NEW.linked_agent_seq AND agent_sequence = NEW.leaves
  )
BEGIN SELECT RAISE(ABORT, 'an agent counts its leaves'); END;
CREATE TRIGGER linked_agent_stays BEFORE DELETE ON linked_agent
BEGIN SELECT RAISE(ABORT, 'linked agents are never deleted'); END;

CREATE TRIGGER account_leaf_follows AFTER INSERT ON account_leaf
WHEN NEW.leaf_seq <> 1 AND NOT EXISTS (SELECT 1 FROM account_leaf WHERE leaf_seq = NEW.leaf_seq - 1)
BEGIN SELECT RAISE(ABORT, 'leaves follow one another'); END;
-- A linked account is not linked again, and one that is not linked has no leaves but `linked`.
CREATE TRIGGER account_leaf_is_next BEFORE INSERT ON account_leaf
WHEN NOT EXISTS (
    SELECT 1 FROM linked_account
    WHERE account_seq = NEW.account_seq AND leaves = NEW.sequence - 1 AND linked = (NEW.event <> 'linked')
  )
  OR (NEW.linked_agent_seq IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM linked_agent
    WHERE linked_agent_seq = NEW.linked_agent_seq AND account_seq = NEW.account_seq AND leaves = NEW.agent_sequence - 1
  ))
BEGIN SELECT RAISE(ABORT, 'the leaves of an account and of an agent follow one another while the account is linked'); END;
CREATE TRIGGER account_leaf_counts AFTER INSERT ON account_leaf
BEGIN
  UPDATE linked_account SET leaves = NEW.sequence, linked = (NEW.event <> 'unlinked')
  WHERE account_seq = NEW.account_seq;
  UPDATE linked_agent SET leaves = NEW.agent_sequence WHERE linked_agent_seq = NEW.linked_agent_seq;
END;
CREATE TRIGGER account_leaf_is_final BEFORE UPDATE ON account_leaf
BEGIN SELECT RAISE(ABORT, 'leaves never change'); END;
CREATE TRIGGER account_leaf_stays BEFORE DELETE ON account_leaf
BEGIN SELECT RAISE(ABORT, 'leaves are never deleted'); END;

CREATE TRIGGER linked_bound_is_final BEFORE UPDATE ON linked_bound
BEGIN SELECT RAISE(ABORT, 'the bounds of linked accounts never change'); END;
CREATE TRIGGER linked_bound_stays BEFORE DELETE ON linked_bound
BEGIN SELECT RAISE(ABORT, 'the bounds of linked accounts are never deleted'); END;
