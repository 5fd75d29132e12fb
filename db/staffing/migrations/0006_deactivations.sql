-- Who the published report of deactivations names, and when deactivated NPIs were given back.

-- A report as a whole. One is in force; others are being written, or are left over from an import that was interrupted.
CREATE TABLE deactivation_list (
  list     INTEGER NOT NULL PRIMARY KEY,
  -- The date of the report, YYYY-MM-DD.
  as_of    TEXT NOT NULL CHECK (as_of GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  at       TEXT NOT NULL,
  in_force INTEGER NOT NULL CHECK (in_force IN (0, 1)),
  -- The registry file that was built with it, and makes it be in force by becoming the current one; null before it is complete.
  registry TEXT
) STRICT;

CREATE UNIQUE INDEX deactivation_list_in_force ON deactivation_list (in_force) WHERE in_force = 1;

CREATE TABLE deactivation (
  list           INTEGER NOT NULL REFERENCES deactivation_list,
  npi            INTEGER NOT NULL CHECK (npi BETWEEN 1000000000 AND 2999999999),
  deactivated_on TEXT NOT NULL CHECK (deactivated_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  PRIMARY KEY (list, npi)
) STRICT, WITHOUT ROWID;

-- The newest reactivation of a clinician that any file stated: a deactivation before it does not count.
CREATE TABLE reactivation (
  npi            INTEGER NOT NULL PRIMARY KEY CHECK (npi BETWEEN 1000000000 AND 2999999999),
  reactivated_on TEXT NOT NULL CHECK (reactivated_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]')
) STRICT;
