-- The access tiers that administrators set. The newest row of an agent applies; the others are its history.

CREATE TABLE access_override (
  override_seq INTEGER PRIMARY KEY,
  agent_seq    INTEGER NOT NULL REFERENCES agent (agent_seq),
  -- NULL ends the override before it.
  tier         TEXT CHECK (length(tier) BETWEEN 1 AND 32),
  reason       TEXT NOT NULL CHECK (length(reason) BETWEEN 1 AND 1024),
  -- The operator whose admin key it was.
  operator_seq INTEGER NOT NULL REFERENCES operator (operator_seq),
  created_at   TEXT NOT NULL
) STRICT;
-- The newest override of an agent: the index ends in override_seq.
CREATE INDEX access_override_by_agent ON access_override (agent_seq);

CREATE TRIGGER access_override_is_final BEFORE UPDATE ON access_override
BEGIN SELECT RAISE(ABORT, 'overrides never change'); END;
CREATE TRIGGER access_override_stays BEFORE DELETE ON access_override
BEGIN SELECT RAISE(ABORT, 'overrides are never deleted'); END;
