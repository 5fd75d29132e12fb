-- The movements with a smaller transaction id than the one before them: the clock was set back. Between two of them the ids ascend, so a
-- transaction is found by bisection without an index of all ids, which would make each movement slower.
CREATE TABLE movement_step (
  movement_seq   INTEGER PRIMARY KEY REFERENCES movement (movement_seq),
  transaction_id BLOB NOT NULL CHECK (length(transaction_id) = 16),
  -- Of the movement before it.
  before_id      BLOB NOT NULL CHECK (length(before_id) = 16 AND before_id > transaction_id)
) STRICT;

INSERT INTO movement_step (movement_seq, transaction_id, before_id)
SELECT movement_seq, transaction_id, before_id
FROM (SELECT movement_seq, transaction_id, lag(transaction_id) OVER (ORDER BY movement_seq) AS before_id FROM movement)
WHERE transaction_id < before_id;

CREATE TRIGGER movement_steps_back AFTER INSERT ON movement
WHEN NEW.transaction_id < (SELECT transaction_id FROM movement WHERE movement_seq = NEW.movement_seq - 1)
BEGIN
  INSERT INTO movement_step (movement_seq, transaction_id, before_id)
  SELECT NEW.movement_seq, NEW.transaction_id, transaction_id FROM movement WHERE movement_seq = NEW.movement_seq - 1;
END;

CREATE TRIGGER movement_step_is_final BEFORE UPDATE ON movement_step
BEGIN SELECT RAISE(ABORT, 'steps of movements never change'); END;
CREATE TRIGGER movement_step_stays BEFORE DELETE ON movement_step
BEGIN SELECT RAISE(ABORT, 'steps of movements are never deleted'); END;
