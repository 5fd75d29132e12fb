-- A registry file: who can be found, and how. Nothing of a clinician stands here that may not be shown to everybody: the texts are
-- the public record as it is sent, and the keys are names, folded for searching.
--
-- Entries are the names under which clinicians are found. They stand in segments, in order of name, first name and NPI; an entry's
-- number in its segment is its ordinal, 0, 1, 2… A segment is written once and never changed, but for what `dead` says and for what
-- is erased. Segments come in pairs: an even one with an entry for each clinician, under the whole surname, and the odd one after it
-- with their other names. Pair 0 is what the file was built with. Clinicians who were added or changed since are in further pairs: a
-- weekly file writes one pair of all of them, a few clinicians a small one. The newest pair with a clinician counts.
--
-- A clinician who is removed is erased from all pairs: no `clinician` row and no text stays. The entry stays, as dead, in the position
-- (name_key, first_key, npi) of the entry before it in its pair, so that ordinals and merged ordinals stay as they are.

-- One row: what the file as a whole is.
CREATE TABLE registry (
  as_of     TEXT NOT NULL CHECK (as_of GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  records   INTEGER NOT NULL CHECK (records >= 0),
  sample    INTEGER NOT NULL CHECK (sample IN (0, 1)),
  -- The groupings that the file was limited to, as a JSON array; null for all.
  groupings TEXT CHECK (json_valid(groupings)),
  -- Counts the changes of the file: what was read at one number belongs together.
  state     INTEGER NOT NULL CHECK (state >= 0)
) STRICT;

-- The taxonomy that the file was built with: names of codes change with it, and so do its lists.
CREATE TABLE taxonomy (
  code           TEXT NOT NULL PRIMARY KEY,
  grouping       TEXT NOT NULL,
  classification TEXT NOT NULL,
  specialization TEXT,
  name           TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE segment (
  segment INTEGER NOT NULL PRIMARY KEY CHECK (segment BETWEEN 0 AND 65535),
  entries INTEGER NOT NULL CHECK (entries BETWEEN 0 AND 134217727)
) STRICT;

-- Sets of taxonomy codes that clinicians have: the codes parted by spaces, the primary one first, empty where there are none; and
-- the part of the public record that follows from them: ,"specialty":…,"specialties":[…]
CREATE TABLE codes (
  codes  INTEGER NOT NULL PRIMARY KEY,
  joined TEXT NOT NULL UNIQUE,
  text   TEXT NOT NULL
) STRICT;

-- place = segment * 2^32 + ordinal. The public record is head || codes.text || tail.
CREATE TABLE entry (
  place     INTEGER NOT NULL PRIMARY KEY,
  name_key  TEXT NOT NULL,
  first_key TEXT NOT NULL,
  npi       INTEGER NOT NULL,
  codes     INTEGER NOT NULL,
  -- {"npi":…,"first_name":…,"middle_name":…,"last_name":…,"suffix":…,"credential":…
  head      TEXT NOT NULL,
  -- ,"city":…,"state":…,"postal_code":…,"status":"active","enumerated_on":…,"last_updated_on":…}
  tail      TEXT NOT NULL
) STRICT;

-- Every 32nd entry of a segment, to find the ordinal of a name.
CREATE TABLE fence (
  segment   INTEGER NOT NULL,
  name_key  TEXT NOT NULL,
  first_key TEXT NOT NULL,
  npi       INTEGER NOT NULL,
  ordinal   INTEGER NOT NULL,
  PRIMARY KEY (segment, name_key, first_key, npi)
) STRICT, WITHOUT ROWID;

-- place = segment * 2^32 + (npi - 10^9), with an even segment.
CREATE TABLE clinician (
  place   INTEGER NOT NULL PRIMARY KEY,
  -- The entry in this segment.
  ordinal INTEGER NOT NULL,
  -- The clinician's other names as [[key, kind, ordinal in the next segment], …], JSON; null for none.
  others  TEXT CHECK (json_valid(others)),
  -- 48 bits of a digest of the public record and all names, by which a later file knows who was changed.
  digest  INTEGER NOT NULL
) STRICT;

-- What entries have in common; see LIST for the labels.
CREATE TABLE list (
  list  INTEGER NOT NULL PRIMARY KEY CHECK (list BETWEEN 0 AND 8388607),
  label TEXT NOT NULL UNIQUE
) STRICT;

-- The entries of a list in a segment, as little-endian integers. place = segment * 2^32 + list * 2^9 + part.
-- Part 0: how many (32 bits); then, for up to 2,048, the ordinals (32 bits each), in order; for more, how many each part has (32
-- bits each), and part n + 1 has the ordinals from n * 65536 on: up to 4,095 as 16 bits each, in order; more as a bitmap of 8 KiB.
CREATE TABLE posting (
  place INTEGER NOT NULL PRIMARY KEY,
  data  BLOB NOT NULL
) STRICT;

-- The surnames of several clinicians, and their spellings without one letter or with none left out, to find names that are alike.
CREATE TABLE near_name (
  spelling   TEXT NOT NULL,
  name_key   TEXT NOT NULL,
  clinicians INTEGER NOT NULL,
  PRIMARY KEY (spelling, name_key)
) STRICT, WITHOUT ROWID;

-- What was done to the registry, in order: each took the sequence on from `first`. It goes over from file to file.
CREATE TABLE revision (
  first   INTEGER NOT NULL PRIMARY KEY,
  at      TEXT NOT NULL,
  as_of   TEXT NOT NULL,
  -- full, weekly, deactivations, suppression, rollback; see REVISIONS.
  kind    TEXT NOT NULL CHECK (length(kind) BETWEEN 1 AND 32)
) STRICT;

-- Who was added (0), updated (1) or removed (2).
CREATE TABLE change (
  sequence INTEGER NOT NULL PRIMARY KEY,
  npi      INTEGER NOT NULL,
  kind     INTEGER NOT NULL CHECK (kind IN (0, 1, 2))
) STRICT;
