-- The newest readings of the instruments that send OTLP: where the next window of a cumulative counter or of a gauge begins. They are
-- working state and no evidence: what was counted is in datacenter_evidence. Rows that are older than the longest window are deleted.
CREATE TABLE datacenter_reading (
  operator_seq INTEGER NOT NULL REFERENCES operator (operator_seq),
  -- The first 16 bytes of the SHA-256 of the cluster, the instance and the origin.
  source       BLOB NOT NULL CHECK (length(source) = 16),
  -- The first 16 bytes of the SHA-256 of the scope, the metric and the attributes.
  series       BLOB NOT NULL CHECK (length(series) = 16),
  -- Milliseconds since 1970.
  time         INTEGER NOT NULL CHECK (time > 0),
  -- What a cumulative counter showed, in the unit of its member of telemetry; NULL for gauges.
  value        REAL CHECK (value >= 0),
  PRIMARY KEY (operator_seq, source, series)
) STRICT, WITHOUT ROWID;

CREATE INDEX datacenter_reading_by_time ON datacenter_reading (time);

CREATE TRIGGER datacenter_reading_moves_ahead BEFORE UPDATE ON datacenter_reading
WHEN NEW.operator_seq <> OLD.operator_seq OR NEW.source <> OLD.source OR NEW.series <> OLD.series OR NEW.time <= OLD.time
BEGIN SELECT RAISE(ABORT, 'readings only move ahead'); END;
