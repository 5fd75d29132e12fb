-- Payloads of evidence that the administrator deleted for idle operators. The items stay, with digest, signature and leaf.

CREATE TABLE evidence_erasure (
  agent_seq        INTEGER PRIMARY KEY REFERENCES agent (agent_seq),
  -- The payloads of all items up to this position are deleted, but those of assessments.
  through_position INTEGER NOT NULL CHECK (through_position >= 1),
  -- Milliseconds since 1970.
  erased_at        INTEGER NOT NULL CHECK (erased_at >= 0)
) STRICT;
CREATE TRIGGER evidence_erasure_grows BEFORE UPDATE ON evidence_erasure
WHEN NEW.agent_seq <> OLD.agent_seq OR NEW.through_position <= OLD.through_position
BEGIN SELECT RAISE(ABORT, 'what is deleted stays deleted'); END;
CREATE TRIGGER evidence_erasure_stays BEFORE DELETE ON evidence_erasure
BEGIN SELECT RAISE(ABORT, 'what is deleted stays deleted'); END;

DROP TRIGGER evidence_is_final;
CREATE TRIGGER evidence_is_final BEFORE UPDATE ON evidence
WHEN length(NEW.payload) <> 0 OR OLD.source_type = 'assessment'
  OR OLD.position > coalesce((SELECT through_position FROM evidence_erasure WHERE agent_seq = OLD.agent_seq), 0)
  OR NEW.evidence_seq <> OLD.evidence_seq OR NEW.agent_seq <> OLD.agent_seq OR NEW.position <> OLD.position
  OR NEW.source_type <> OLD.source_type OR NEW.payload_digest <> OLD.payload_digest OR NEW.event_hash <> OLD.event_hash
  OR NEW.prev_event_hash IS NOT OLD.prev_event_hash OR NEW.signature <> OLD.signature OR NEW.reading <> OLD.reading
  OR NEW.outcome <> OLD.outcome OR NEW.operator_seq IS NOT OLD.operator_seq OR NEW.created_at <> OLD.created_at
BEGIN SELECT RAISE(ABORT, 'evidence never changes'); END;
