-- Settlements that exceed a cap, which are not booked until somebody decides, or the same one arrives when the caps allow it; and how
-- much each rail settled in each hour, from which the caps of a day are computed.

CREATE TABLE unbooked_settlement (
  unbooked_seq INTEGER PRIMARY KEY,
  rail         TEXT NOT NULL CHECK (length(rail) BETWEEN 1 AND 32),
  reference    TEXT NOT NULL CHECK (length(reference) BETWEEN 1 AND 200),
  body_digest  BLOB NOT NULL CHECK (length(body_digest) = 32),
  agent_seq    INTEGER NOT NULL REFERENCES agent (agent_seq),
  credits      INTEGER NOT NULL CHECK (credits BETWEEN 1 AND 9007199254740991),
  amount_label TEXT CHECK (length(amount_label) BETWEEN 1 AND 64),
  created_at   TEXT NOT NULL CHECK (length(created_at) = 24),
  UNIQUE (rail, reference)
) STRICT;
CREATE TRIGGER unbooked_settlement_is_final BEFORE UPDATE ON unbooked_settlement
BEGIN SELECT RAISE(ABORT, 'settlements never change'); END;
CREATE TRIGGER unbooked_settlement_stays BEFORE DELETE ON unbooked_settlement
BEGIN SELECT RAISE(ABORT, 'settlements are never deleted'); END;

CREATE TABLE settlement_hour (
  -- Hours since 1970.
  hour    INTEGER NOT NULL,
  rail    TEXT NOT NULL,
  credits INTEGER NOT NULL CHECK (credits BETWEEN 1 AND 9007199254740991),
  PRIMARY KEY (hour, rail)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER settlement_hour_grows BEFORE UPDATE ON settlement_hour
WHEN new.hour IS NOT old.hour OR new.rail IS NOT old.rail OR new.credits <= old.credits
BEGIN SELECT RAISE(ABORT, 'what was settled in an hour only grows'); END;
CREATE TRIGGER settlement_hour_stays BEFORE DELETE ON settlement_hour
BEGIN SELECT RAISE(ABORT, 'what was settled in an hour stays'); END;

INSERT INTO settlement_hour (hour, rail, credits)
SELECT unixepoch(created_at) / 3600, rail, sum(credits) FROM settlement GROUP BY 1, 2;
