-- What a registry file is made of, in the order in which it came; sorted into the file once all of it is there.
CREATE TABLE stage.arrived (
  npi INTEGER NOT NULL,
  last_name TEXT NOT NULL,
  first_name TEXT,
  middle_name TEXT,
  suffix TEXT,
  credential TEXT,
  codes TEXT NOT NULL,
  city TEXT,
  state TEXT,
  postal_code TEXT,
  enumerated_on TEXT,
  last_updated_on TEXT
) STRICT;

-- Many clinicians have the same codes: `common` names what codes they have in common.
CREATE TABLE stage.name (
  common INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  several INTEGER NOT NULL,
  state TEXT,
  name_key TEXT NOT NULL,
  first_key TEXT NOT NULL,
  npi INTEGER NOT NULL
) STRICT;

CREATE TABLE stage.member (
  common INTEGER NOT NULL,
  list INTEGER NOT NULL,
  listed INTEGER NOT NULL,
  PRIMARY KEY (common, list)
) STRICT, WITHOUT ROWID;
