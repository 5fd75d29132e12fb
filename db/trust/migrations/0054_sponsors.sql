-- The operators that sponsor an agent or did so: what they left open stays that of the agent. Times are RFC 3339.

CREATE TABLE agent_sponsor (
  agent_seq    INTEGER NOT NULL REFERENCES agent (agent_seq),
  operator_seq INTEGER NOT NULL REFERENCES operator (operator_seq),
  -- The first time.
  since        TEXT    NOT NULL,
  -- The last time; null while it sponsors the agent.
  until        TEXT,
  PRIMARY KEY (agent_seq, operator_seq)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER agent_sponsor_begins AFTER INSERT ON agent WHEN NEW.sponsor_seq IS NOT NULL
BEGIN
  INSERT INTO agent_sponsor (agent_seq, operator_seq, since) VALUES (NEW.agent_seq, NEW.sponsor_seq, NEW.issued_at);
END;
CREATE TRIGGER agent_sponsor_stays BEFORE DELETE ON agent_sponsor
BEGIN SELECT RAISE(ABORT, 'sponsors of agents are never deleted'); END;

-- Who sponsored an agent before this version is not known.
INSERT INTO agent_sponsor (agent_seq, operator_seq, since)
SELECT agent_seq, sponsor_seq, issued_at FROM agent WHERE sponsor_seq IS NOT NULL;
