-- The log of accounts gets leaves that are of no account: the heads of journals, once a day.

CREATE TABLE new_account_leaf (
  leaf_seq         INTEGER PRIMARY KEY,
  leaf_hash        BLOB NOT NULL CHECK (length(leaf_hash) = 32),
  -- Null for heads of journals.
  account_seq      INTEGER REFERENCES linked_account (account_seq),
  sequence         INTEGER CHECK (sequence >= 1),
  event            TEXT NOT NULL CHECK (length(event) BETWEEN 1 AND 32),
  receipt_id       BLOB CHECK (length(receipt_id) = 16),
  content_hash     BLOB CHECK (length(content_hash) = 32),
  linked_agent_seq INTEGER REFERENCES linked_agent (linked_agent_seq),
  agent_sequence   INTEGER CHECK (agent_sequence >= 1),
  at               TEXT NOT NULL CHECK (length(at) = 24),
  -- 1 for a leaf from a copy of the log. The restored database may lack its receipt, or its tree of heads.
  recovered        INTEGER NOT NULL CHECK (recovered IN (0, 1)),
  -- Of heads of journals: the day that had ended, the number of heads, and the root of their tree.
  date             TEXT CHECK (length(date) = 10),
  accounts         INTEGER CHECK (accounts >= 1),
  root             BLOB CHECK (length(root) = 32),
  UNIQUE (account_seq, sequence),
  CHECK (sequence <> 1 OR event = 'linked'),
  CHECK ((account_seq IS NULL) = (event = 'journal_heads')),
  CHECK ((sequence IS NULL) = (account_seq IS NULL)),
  CHECK ((receipt_id IS NULL) = (event IN ('linked', 'unlinked', 'journal_heads'))),
  CHECK ((content_hash IS NULL) = (receipt_id IS NULL)),
  CHECK ((linked_agent_seq IS NULL) = (receipt_id IS NULL)),
  CHECK ((agent_sequence IS NULL) = (receipt_id IS NULL)),
  CHECK ((date IS NULL) = (event <> 'journal_heads')),
  CHECK ((accounts IS NULL) = (date IS NULL)),
  CHECK ((root IS NULL) = (date IS NULL))
) STRICT;

INSERT INTO new_account_leaf (leaf_seq, leaf_hash, account_seq, sequence, event, receipt_id, content_hash, linked_agent_seq,
  agent_sequence, at, recovered)
SELECT leaf_seq, leaf_hash, account_seq, sequence, event, receipt_id, content_hash, linked_agent_seq, agent_sequence, at, recovered
FROM account_leaf;

DROP TABLE account_leaf;
ALTER TABLE new_account_leaf RENAME TO account_leaf;

CREATE UNIQUE INDEX account_leaf_by_receipt ON account_leaf (receipt_id, event) WHERE receipt_id IS NOT NULL;
CREATE UNIQUE INDEX account_leaf_by_date ON account_leaf (date) WHERE date IS NOT NULL;

CREATE TRIGGER account_leaf_follows AFTER INSERT ON account_leaf
WHEN NEW.leaf_seq <> 1 AND NOT EXISTS (SELECT 1 FROM account_leaf WHERE leaf_seq = NEW.leaf_seq - 1)
BEGIN SELECT RAISE(ABORT, 'leaves follow one another'); END;
-- A linked account is not linked again, and one that is not linked has no leaves but `linked`.
CREATE TRIGGER account_leaf_is_next BEFORE INSERT ON account_leaf
WHEN NEW.account_seq IS NOT NULL AND (
  NOT EXISTS (
    SELECT 1 FROM linked_account
    WHERE account_seq = NEW.account_seq AND leaves = NEW.sequence - 1 AND linked = (NEW.event <> 'linked')
  )
  OR (NEW.linked_agent_seq IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM linked_agent
    WHERE linked_agent_seq = NEW.linked_agent_seq AND account_seq = NEW.account_seq AND leaves = NEW.agent_sequence - 1
  )))
BEGIN SELECT RAISE(ABORT, 'the leaves of an account and of an agent follow one another while the account is linked'); END;
CREATE TRIGGER account_leaf_is_of_a_later_day BEFORE INSERT ON account_leaf
WHEN NEW.date IS NOT NULL AND NEW.date <= (SELECT max(date) FROM account_leaf WHERE date IS NOT NULL)
BEGIN SELECT RAISE(ABORT, 'the days of heads of journals ascend'); END;
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
