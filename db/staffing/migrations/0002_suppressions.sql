-- Clinicians who are hidden from search, in this registry and in all later ones.

CREATE TABLE suppression (
  npi      INTEGER NOT NULL PRIMARY KEY CHECK (npi BETWEEN 1000000000 AND 2999999999),
  reason   TEXT NOT NULL CHECK (length(reason) BETWEEN 1 AND 1024),
  at       TEXT NOT NULL,
  -- What a registry file had of the clinician, sealed under the master key, with the name of that file: so a suppression can be
  -- undone. Null for a clinician whom no file had.
  record   TEXT,
  registry TEXT CHECK ((registry IS NULL) = (record IS NULL))
) STRICT;
