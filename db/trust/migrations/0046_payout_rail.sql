-- What the chain finally refused in a row, by rail. A rail with stopped_at begins no payouts until an administrator resumes it.

CREATE TABLE payout_rail (
  rail       TEXT PRIMARY KEY CHECK (length(rail) BETWEEN 1 AND 32),
  -- Final failures since the last payout that was paid, or since it was resumed.
  failures   INTEGER NOT NULL CHECK (failures >= 0),
  -- Milliseconds since 1970.
  stopped_at INTEGER CHECK (stopped_at >= 0)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER payout_rail_stays BEFORE DELETE ON payout_rail
BEGIN SELECT RAISE(ABORT, 'what is known about a rail stays'); END;
