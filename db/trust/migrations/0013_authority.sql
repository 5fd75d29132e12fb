-- The mark changes whenever a key, an account or an agent changes in what it may do. Who has asked what a key may do need not ask
-- again while the mark is the same. It is a random number and not the next one: a transaction that is rolled back must not leave a
-- mark behind that a later one gets again.

CREATE TABLE authority_mark (
  one  INTEGER PRIMARY KEY CHECK (one = 1),
  mark INTEGER NOT NULL
) STRICT;
INSERT INTO authority_mark VALUES (1, abs(random() % 9007199254740991));

CREATE TRIGGER authority_mark_stays BEFORE DELETE ON authority_mark
BEGIN SELECT RAISE(ABORT, 'the mark stays'); END;

CREATE TRIGGER api_key_change_is_marked
AFTER UPDATE OF key_hash, operator_seq, role, admin, subject_commitment, scope ON api_key
BEGIN UPDATE authority_mark SET mark = abs(random() % 9007199254740991); END;
CREATE TRIGGER api_key_end_is_marked AFTER DELETE ON api_key
BEGIN UPDATE authority_mark SET mark = abs(random() % 9007199254740991); END;
CREATE TRIGGER operator_change_is_marked
AFTER UPDATE OF account_status, plan, self_provisioned, stake_cents, pardoned_at ON operator
BEGIN UPDATE authority_mark SET mark = abs(random() % 9007199254740991); END;
CREATE TRIGGER agent_change_is_marked AFTER UPDATE OF state ON agent
BEGIN UPDATE authority_mark SET mark = abs(random() % 9007199254740991); END;
