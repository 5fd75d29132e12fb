-- What is known of the clock of the machine, in milliseconds since 1970. One row, from the first minute that a server runs.
CREATE TABLE clock_mark (
  one          INTEGER PRIMARY KEY CHECK (one = 1),
  -- The newest time of a clock that was not in doubt. A start whose clock is more than a day later is in doubt.
  confirmed_at INTEGER NOT NULL CHECK (confirmed_at >= 0),
  -- The newest time of a clock that was in doubt since its start; null if the newest clock was not.
  doubted_at   INTEGER CHECK (doubted_at >= 0),
  -- For how long servers ran with this clock in doubt.
  ran_ms       INTEGER NOT NULL CHECK (ran_ms >= 0),
  CHECK (doubted_at IS NOT NULL OR ran_ms = 0)
) STRICT;
