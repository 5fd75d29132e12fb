-- What a sponsor gave and withdrew: for which agent an operator was made, and with which key an enrollment was started.

-- The subject commitment of the agent that provisioned the operator; null for every other operator.
ALTER TABLE operator ADD COLUMN provisioned_for BLOB
  CHECK (provisioned_for IS NULL OR (self_provisioned = 1 AND length(provisioned_for) = 32));
-- Until now nobody but the agent itself could give such an operator its first agent.
UPDATE operator SET provisioned_for = (
  SELECT subject_commitment FROM agent WHERE sponsor_seq = operator.operator_seq ORDER BY agent_seq LIMIT 1
) WHERE self_provisioned = 1;

CREATE TRIGGER operator_is_provisioned_once BEFORE UPDATE OF provisioned_for ON operator
WHEN NEW.provisioned_for IS NOT OLD.provisioned_for
BEGIN SELECT RAISE(ABORT, 'the agent that provisioned an operator does not change'); END;

-- A challenge that a sponsor's key started is good as long as the key is there. Those that wait while this runs would have ended
-- within five minutes: their agents start anew.
DELETE FROM challenge WHERE sponsor_seq IS NOT NULL;
ALTER TABLE challenge ADD COLUMN key_hash BLOB
  CHECK ((key_hash IS NULL) = (sponsor_seq IS NULL) AND coalesce(length(key_hash), 32) = 32);

DROP TRIGGER challenge_is_consumed_once;
CREATE TRIGGER challenge_is_consumed_once BEFORE UPDATE ON challenge
WHEN OLD.consumed_at IS NOT NULL OR NEW.consumed_at IS NULL
  OR NEW.challenge_seq <> OLD.challenge_seq OR NEW.purpose <> OLD.purpose OR NEW.nonce <> OLD.nonce
  OR NEW.caller <> OLD.caller OR NEW.public_key <> OLD.public_key
  OR NEW.subject_commitment IS NOT OLD.subject_commitment OR NEW.context IS NOT OLD.context
  OR NEW.name IS NOT OLD.name OR NEW.sponsor_seq IS NOT OLD.sponsor_seq OR NEW.key_hash IS NOT OLD.key_hash
  OR NEW.pow_difficulty IS NOT OLD.pow_difficulty
  OR NEW.created_at <> OLD.created_at OR NEW.expires_at <> OLD.expires_at
BEGIN SELECT RAISE(ABORT, 'a challenge is consumed once and changes in nothing else'); END;
