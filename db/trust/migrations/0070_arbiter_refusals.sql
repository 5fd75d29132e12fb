-- Disputes whose hirer refused the arbiter that the worker had named: an administrator decides them.
CREATE TABLE arbiter_refusal (
  escrow_seq INTEGER PRIMARY KEY REFERENCES escrow (escrow_seq)
) STRICT;

CREATE TRIGGER arbiter_refusal_is_of_a_dispute BEFORE INSERT ON arbiter_refusal
WHEN NOT EXISTS (SELECT 1 FROM escrow
  WHERE escrow_seq = NEW.escrow_seq AND status = 'DISPUTED' AND arbiter_seq IS NOT NULL)
BEGIN SELECT RAISE(ABORT, 'only the arbiter of a dispute is refused'); END;
CREATE TRIGGER arbiter_refusal_is_final BEFORE UPDATE ON arbiter_refusal
BEGIN SELECT RAISE(ABORT, 'refusals never change'); END;
CREATE TRIGGER arbiter_refusal_stays BEFORE DELETE ON arbiter_refusal
BEGIN SELECT RAISE(ABORT, 'refusals are never deleted'); END;

CREATE TRIGGER escrow_refuses_its_arbiter BEFORE UPDATE OF status ON escrow
WHEN NEW.ended_by IS 'arbiter' AND EXISTS (SELECT 1 FROM arbiter_refusal WHERE escrow_seq = NEW.escrow_seq)
BEGIN SELECT RAISE(ABORT, 'the hirer refused the arbiter'); END;
