-- The checkpoints that signed packages cite. They stay, so that whoever has such a package finds them.
CREATE TABLE package_citation (
  checkpoint_seq INTEGER PRIMARY KEY REFERENCES checkpoint (checkpoint_seq)
) STRICT;

CREATE TRIGGER package_citation_is_final BEFORE UPDATE ON package_citation
BEGIN SELECT RAISE(ABORT, 'citations never change'); END;
CREATE TRIGGER package_citation_stays BEFORE DELETE ON package_citation
BEGIN SELECT RAISE(ABORT, 'citations are never deleted'); END;

-- The receipts of an agent, by the day of their finalization, with how they count.
CREATE INDEX agent_receipt_by_agent ON agent_receipt (agent_seq, day, outcome);

-- The evidence of an agent by time, with what a package counts.
CREATE INDEX evidence_by_time ON evidence (agent_seq, created_at, source_type, outcome);
