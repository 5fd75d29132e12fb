-- A registry file: who can be found, and how. Nothing of a clinician stands here that may not be shown to everybody: the
-- columns of `clinician` are the public fields, and the keys in the other tables are their names, folded for searching.

-- One row: what the file as a whole is.
CREATE TABLE registry (
  as_of TEXT NOT NULL CHECK (as_of GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  records INTEGER NOT NULL,
  sample INTEGER NOT NULL CHECK (sample IN (0, 1))
) STRICT;

-- The taxonomy that the file was built with: names of codes change with it, and so do its lists.
CREATE TABLE taxonomy (
  code TEXT NOT NULL PRIMARY KEY,
  grouping TEXT NOT NULL,
  classification TEXT NOT NULL,
  specialization TEXT,
  name TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE clinician (
  npi INTEGER NOT NULL PRIMARY KEY CHECK (npi BETWEEN 1000000000 AND 2999999999),
  last_name TEXT NOT NULL,
  first_name TEXT,
  middle_name TEXT,
  suffix TEXT,
  credential TEXT,
  -- Taxonomy codes parted by spaces, the primary one first; empty where there are none.
  codes TEXT NOT NULL,
  city TEXT,
  state TEXT CHECK (length(state) = 2),
  postal_code TEXT CHECK (postal_code GLOB '[0-9][0-9][0-9][0-9][0-9]'),
  enumerated_on TEXT,
  last_updated_on TEXT
) STRICT;

-- Clinicians who have something in common: everybody (label ''), a code, a grouping, or several codes. A list that is not
-- `listed` is too rarely asked for to have rows of its own: it is read as the lists of its codes, and only counted.
CREATE TABLE list (
  list INTEGER NOT NULL PRIMARY KEY,
  label TEXT NOT NULL UNIQUE,
  listed INTEGER NOT NULL CHECK (listed IN (0, 1))
) STRICT;

-- The lists in order of name. kind 0 is a clinician's whole surname, 1 a later part of it or a former name, 2 its first
-- part; see KIND.
CREATE TABLE by_name (
  list INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  name_key TEXT NOT NULL,
  first_key TEXT NOT NULL,
  npi INTEGER NOT NULL,
  PRIMARY KEY (list, kind, name_key, first_key, npi)
) STRICT, WITHOUT ROWID;

CREATE TABLE by_state (
  list INTEGER NOT NULL,
  state TEXT NOT NULL,
  kind INTEGER NOT NULL,
  name_key TEXT NOT NULL,
  first_key TEXT NOT NULL,
  npi INTEGER NOT NULL,
  PRIMARY KEY (list, state, kind, name_key, first_key, npi)
) STRICT, WITHOUT ROWID;

-- All names of those who have several, so that one who is found by two of them is given once.
CREATE TABLE several_names (
  npi INTEGER NOT NULL,
  name_key TEXT NOT NULL,
  kind INTEGER NOT NULL,
  PRIMARY KEY (npi, name_key)
) STRICT, WITHOUT ROWID;

-- How many clinicians a list has, anywhere (state '') and in each state.
CREATE TABLE list_count (
  list INTEGER NOT NULL,
  state TEXT NOT NULL,
  clinicians INTEGER NOT NULL,
  PRIMARY KEY (list, state)
) STRICT, WITHOUT ROWID;
