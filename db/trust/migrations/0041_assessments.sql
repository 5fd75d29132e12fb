-- What assessors signed about other agents. An assessment is an item of evidence of the assessor; its row here finds it by the agent
-- that it is about.

CREATE TABLE assessment (
  evidence_seq INTEGER PRIMARY KEY REFERENCES evidence (evidence_seq),
  assessor_seq INTEGER NOT NULL REFERENCES agent (agent_seq),
  subject_seq  INTEGER NOT NULL REFERENCES agent (agent_seq) CHECK (subject_seq <> assessor_seq),
  framework    TEXT NOT NULL CHECK (length(framework) BETWEEN 1 AND 64),
  -- RFC 3339 in UTC with milliseconds.
  period_from  TEXT NOT NULL CHECK (length(period_from) = 24),
  period_to    TEXT NOT NULL CHECK (length(period_to) = 24 AND period_to > period_from)
) STRICT;
-- Both end in the rowid, which is evidence_seq.
CREATE INDEX assessment_by_subject ON assessment (subject_seq);
CREATE INDEX assessment_by_assessor ON assessment (subject_seq, assessor_seq);

CREATE TRIGGER assessment_is_final BEFORE UPDATE ON assessment
BEGIN SELECT RAISE(ABORT, 'assessments never change'); END;
CREATE TRIGGER assessment_stays BEFORE DELETE ON assessment
BEGIN SELECT RAISE(ABORT, 'assessments are never deleted'); END;
