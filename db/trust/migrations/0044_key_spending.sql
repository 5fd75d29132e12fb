-- What keys with a limit over time have spent: max_credits_total and max_credits_per_day of their scope.

CREATE TABLE key_spending_hour (
  api_key_seq INTEGER NOT NULL REFERENCES api_key_number (api_key_seq),
  -- Hours since 1970.
  hour        INTEGER NOT NULL,
  credits     INTEGER NOT NULL CHECK (credits BETWEEN 1 AND 9007199254740991),
  PRIMARY KEY (api_key_seq, hour)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER key_spending_hour_grows BEFORE UPDATE ON key_spending_hour
WHEN new.api_key_seq IS NOT old.api_key_seq OR new.hour IS NOT old.hour OR new.credits <= old.credits
BEGIN SELECT RAISE(ABORT, 'what a key spent in an hour only grows'); END;
CREATE TRIGGER key_spending_hour_stays BEFORE DELETE ON key_spending_hour
BEGIN SELECT RAISE(ABORT, 'what a key spent in an hour stays'); END;

-- The sum of all hours of a key.
CREATE TABLE key_spending (
  api_key_seq INTEGER PRIMARY KEY REFERENCES api_key_number (api_key_seq),
  credits     INTEGER NOT NULL CHECK (credits BETWEEN 1 AND 9007199254740991)
) STRICT;
CREATE TRIGGER key_spending_grows BEFORE UPDATE ON key_spending
WHEN new.api_key_seq IS NOT old.api_key_seq OR new.credits <= old.credits
BEGIN SELECT RAISE(ABORT, 'what a key spent only grows'); END;
CREATE TRIGGER key_spending_stays BEFORE DELETE ON key_spending
BEGIN SELECT RAISE(ABORT, 'what a key spent stays'); END;
