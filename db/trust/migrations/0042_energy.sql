-- Figures of energy by slots of 15 minutes (numbered from 1970), corrections of telemetry, and meters that are retired. A window is spread
-- over its slots by time. A meter is an instance that has energy in a class, from its earliest window until it is retired. A slot is complete
-- for a quantity if as many meters cover all of it as are expected. The derived tables below are written by triggers only.

ALTER TABLE datacenter_evidence ADD COLUMN meter_role TEXT CHECK (length(meter_role) BETWEEN 1 AND 16);
ALTER TABLE datacenter_evidence ADD COLUMN pue_category INTEGER CHECK (pue_category BETWEEN 1 AND 3);
-- The item that this one corrects, and the receipt of the item that corrects this one. Corrected items stay and count no longer.
ALTER TABLE datacenter_evidence ADD COLUMN corrects INTEGER REFERENCES datacenter_evidence (receipt_seq) CHECK (corrects < receipt_seq);
ALTER TABLE datacenter_evidence ADD COLUMN superseded_by INTEGER REFERENCES service_receipt (receipt_seq);
-- Another enrolled party that attested the instrument.
ALTER TABLE datacenter_evidence ADD COLUMN attester_seq INTEGER REFERENCES agent (agent_seq);
-- The quantities that an item has, as bits of datacenter_quantity.
ALTER TABLE datacenter_evidence ADD COLUMN registers INTEGER GENERATED ALWAYS AS (
  64 + (it_mwh IS NOT NULL) + 2 * (facility_mwh IS NOT NULL) + 4 * (water_ml IS NOT NULL) + 8 * (renewable_mwh IS NOT NULL)
  + 16 * (reused_mwh IS NOT NULL) + 32 * (co2_mg IS NOT NULL)
) VIRTUAL;

CREATE VIEW datacenter_quantity AS
  SELECT 'it' AS quantity, 1 AS bit UNION ALL SELECT 'facility', 2 UNION ALL SELECT 'water', 4 UNION ALL SELECT 'renewable', 8
  UNION ALL SELECT 'reused', 16 UNION ALL SELECT 'co2', 32 UNION ALL SELECT 'meter', 64;

DROP TRIGGER datacenter_evidence_overlaps;
DROP TRIGGER datacenter_evidence_counts_energy_once;
DROP TRIGGER datacenter_evidence_counts_thermal_once;
DROP TRIGGER datacenter_evidence_is_final;
DROP TRIGGER datacenter_evidence_is_summed;
DROP INDEX datacenter_evidence_by_window;
DROP INDEX datacenter_evidence_by_energy;
DROP INDEX datacenter_evidence_by_thermal;

CREATE INDEX datacenter_evidence_by_window ON datacenter_evidence (instance_seq, event_type, window_end, window_start)
  WHERE superseded_by IS NULL;
CREATE INDEX datacenter_evidence_by_energy ON datacenter_evidence (instance_seq, class, window_end, window_start)
  WHERE counts_energy = 1 AND superseded_by IS NULL;
CREATE INDEX datacenter_evidence_by_thermal ON datacenter_evidence (instance_seq, class, window_end, window_start)
  WHERE counts_thermal = 1 AND superseded_by IS NULL;
CREATE INDEX datacenter_evidence_by_superseded ON datacenter_evidence (instance_seq, window_end) WHERE superseded_by IS NOT NULL;
CREATE UNIQUE INDEX datacenter_evidence_by_corrects ON datacenter_evidence (corrects) WHERE corrects IS NOT NULL;
-- The extremes of a day when the item that had one is corrected.
CREATE INDEX datacenter_evidence_by_power ON datacenter_evidence (cluster_seq, class, day, power_mw)
  WHERE counts_energy = 1 AND superseded_by IS NULL AND power_mw IS NOT NULL;
CREATE INDEX datacenter_evidence_by_junction ON datacenter_evidence (cluster_seq, class, day, junction_mc)
  WHERE superseded_by IS NULL AND junction_mc IS NOT NULL;
CREATE INDEX datacenter_evidence_by_inlet ON datacenter_evidence (cluster_seq, class, day, inlet_mc)
  WHERE superseded_by IS NULL AND inlet_mc IS NOT NULL;

CREATE TRIGGER datacenter_evidence_overlaps BEFORE INSERT ON datacenter_evidence
WHEN NEW.window_end > (
  SELECT window_start FROM datacenter_evidence
  WHERE instance_seq = NEW.instance_seq AND event_type = NEW.event_type AND window_end > NEW.window_start AND superseded_by IS NULL
  ORDER BY window_end LIMIT 1
)
BEGIN SELECT RAISE(ABORT, 'windows of one instance and event type do not overlap'); END;
CREATE TRIGGER datacenter_evidence_counts_energy_once BEFORE INSERT ON datacenter_evidence
WHEN NEW.counts_energy = 1 AND NEW.window_end > (
  SELECT window_start FROM datacenter_evidence
  WHERE counts_energy = 1 AND superseded_by IS NULL AND instance_seq = NEW.instance_seq AND class = NEW.class
    AND window_end > NEW.window_start
  ORDER BY window_end LIMIT 1
)
BEGIN SELECT RAISE(ABORT, 'the energy of an instance counts once in a class'); END;
CREATE TRIGGER datacenter_evidence_counts_thermal_once BEFORE INSERT ON datacenter_evidence
WHEN NEW.counts_thermal = 1 AND NEW.window_end > (
  SELECT window_start FROM datacenter_evidence
  WHERE counts_thermal = 1 AND superseded_by IS NULL AND instance_seq = NEW.instance_seq AND class = NEW.class
    AND window_end > NEW.window_start
  ORDER BY window_end LIMIT 1
)
BEGIN SELECT RAISE(ABORT, 'the temperatures of an instance count once in a class'); END;
CREATE TRIGGER datacenter_evidence_begins_current BEFORE INSERT ON datacenter_evidence WHEN NEW.superseded_by IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'telemetry is current when it arrives'); END;
CREATE TRIGGER datacenter_evidence_is_final BEFORE UPDATE OF
  receipt_seq, evidence_id, cluster_seq, instance_seq, event_type, class, window_start, window_end, day, counts_energy, counts_thermal,
  it_mwh, facility_mwh, water_ml, renewable_mwh, reused_mwh, power_mw, nameplate_mw, delta_power, junction_mc, inlet_mc,
  setpoint_applied, throttled, carbon_mg_per_kwh, saved_mwh, avoided_g, power_mwh, nameplate_mwh, co2_mg, agent_seq, payload_digest,
  ingested_at, payload, meter_role, pue_category, corrects, attester_seq ON datacenter_evidence
BEGIN SELECT RAISE(ABORT, 'telemetry never changes'); END;
CREATE TRIGGER datacenter_evidence_is_superseded_once BEFORE UPDATE OF superseded_by ON datacenter_evidence
WHEN OLD.superseded_by IS NOT NULL OR NEW.superseded_by IS NULL OR NEW.superseded_by <= OLD.receipt_seq
BEGIN SELECT RAISE(ABORT, 'telemetry is corrected once, by a later item'); END;

-- Whole numbers from 0: the pieces of a window.
CREATE TABLE datacenter_number (n INTEGER PRIMARY KEY) STRICT;
INSERT INTO datacenter_number WITH RECURSIVE c (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM c WHERE n < 255) SELECT n FROM c;

-- The pieces of each window that counts as energy, superseded ones too: its whole UTC days, and its slots, or parts of them, in the days
-- at its ends. So no window has more than 192 pieces, and one of 31 days at most 127. `place` is the number of the day or of the slot.
-- Shares are differences of floor(value * time / duration), so that they are whole numbers whose sum is the value; the two terms keep
-- the product below 2^63.
CREATE VIEW datacenter_piece AS
SELECT receipt_seq, cluster_seq, class, instance_seq, superseded_by, is_day, place, till - since AS ms,
  it_mwh / duration * (till - since) + it_mwh % duration * till / duration - it_mwh % duration * since / duration AS it_mwh,
  facility_mwh / duration * (till - since) + facility_mwh % duration * till / duration - facility_mwh % duration * since / duration
    AS facility_mwh,
  water_ml / duration * (till - since) + water_ml % duration * till / duration - water_ml % duration * since / duration AS water_ml,
  renewable_mwh / duration * (till - since) + renewable_mwh % duration * till / duration - renewable_mwh % duration * since / duration
    AS renewable_mwh,
  reused_mwh / duration * (till - since) + reused_mwh % duration * till / duration - reused_mwh % duration * since / duration
    AS reused_mwh,
  co2_mg / duration * (till - since) + co2_mg % duration * till / duration - co2_mg % duration * since / duration AS co2_mg
FROM (
  SELECT *, max(place * length - window_start, 0) AS since, min((place + 1) * length, window_end) - window_start AS till
  FROM (
    SELECT *, n >= head AND n < head + days AS is_day, iif(n >= head AND n < head + days, 86400000, 900000) AS length,
      CASE WHEN n < head THEN first_slot + n WHEN n < head + days THEN first_day + n - head
        ELSE (first_day + days) * 96 + n - head - days END AS place
    FROM (
      SELECT *, iif(days = 0, last_slot + 1, first_day * 96) - first_slot AS head,
        iif(days = 0, 0, last_slot + 1 - (first_day + days) * 96) AS tail
      FROM (
        SELECT receipt_seq, cluster_seq, class, instance_seq, superseded_by, window_start, window_end,
          window_end - window_start AS duration, it_mwh, facility_mwh, water_ml, renewable_mwh, reused_mwh, co2_mg,
          window_start / 900000 AS first_slot, (window_end - 1) / 900000 AS last_slot,
          (window_start + 86399999) / 86400000 AS first_day,
          max(window_end / 86400000 - (window_start + 86399999) / 86400000, 0) AS days
        FROM datacenter_evidence WHERE counts_energy = 1
      )
    ) JOIN datacenter_number ON n < head + days + tail
  )
);

-- What covers whole days. For each quantity: the meters that cover the day, and their sum.
CREATE TABLE datacenter_whole_day (
  cluster_seq      INTEGER NOT NULL REFERENCES datacenter_cluster (cluster_seq),
  class            TEXT NOT NULL CHECK (length(class) BETWEEN 1 AND 32),
  day              INTEGER NOT NULL,
  it_meters        INTEGER NOT NULL,
  facility_meters  INTEGER NOT NULL,
  water_meters     INTEGER NOT NULL,
  renewable_meters INTEGER NOT NULL,
  reused_meters    INTEGER NOT NULL,
  co2_meters       INTEGER NOT NULL,
  it_mwh           INTEGER NOT NULL,
  facility_mwh     INTEGER NOT NULL,
  water_ml         INTEGER NOT NULL,
  renewable_mwh    INTEGER NOT NULL,
  reused_mwh       INTEGER NOT NULL,
  co2_mg           INTEGER NOT NULL,
  PRIMARY KEY (cluster_seq, class, day)
) STRICT, WITHOUT ROWID;

-- The milliseconds of a slot that a meter covers by windows that do not cover all of it.
CREATE TABLE datacenter_slot_part (
  cluster_seq  INTEGER NOT NULL REFERENCES datacenter_cluster (cluster_seq),
  class        TEXT NOT NULL CHECK (length(class) BETWEEN 1 AND 32),
  slot         INTEGER NOT NULL,
  instance_seq INTEGER NOT NULL REFERENCES datacenter_instance (instance_seq),
  it_ms        INTEGER NOT NULL,
  facility_ms  INTEGER NOT NULL,
  water_ms     INTEGER NOT NULL,
  renewable_ms INTEGER NOT NULL,
  reused_ms    INTEGER NOT NULL,
  co2_ms       INTEGER NOT NULL,
  PRIMARY KEY (cluster_seq, class, slot, instance_seq)
) STRICT, WITHOUT ROWID;

-- As for days, without what covers whole days. A sum is of all windows, a number of meters of those that cover all of the slot.
CREATE TABLE datacenter_slot (
  cluster_seq      INTEGER NOT NULL REFERENCES datacenter_cluster (cluster_seq),
  class            TEXT NOT NULL CHECK (length(class) BETWEEN 1 AND 32),
  slot             INTEGER NOT NULL,
  it_meters        INTEGER NOT NULL,
  facility_meters  INTEGER NOT NULL,
  water_meters     INTEGER NOT NULL,
  renewable_meters INTEGER NOT NULL,
  reused_meters    INTEGER NOT NULL,
  co2_meters       INTEGER NOT NULL,
  it_mwh           INTEGER NOT NULL,
  facility_mwh     INTEGER NOT NULL,
  water_ml         INTEGER NOT NULL,
  renewable_mwh    INTEGER NOT NULL,
  reused_mwh       INTEGER NOT NULL,
  co2_mg           INTEGER NOT NULL,
  PRIMARY KEY (cluster_seq, class, slot)
) STRICT, WITHOUT ROWID;

-- The slots of a day by the meters that cover them, with their sums: which of them are complete is known when they are read, since another
-- meter changes it for all later slots. Slots whose facility has less energy than its IT equipment are apart.
CREATE TABLE datacenter_slot_group (
  cluster_seq      INTEGER NOT NULL REFERENCES datacenter_cluster (cluster_seq),
  class            TEXT NOT NULL CHECK (length(class) BETWEEN 1 AND 32),
  day              INTEGER NOT NULL,
  it_meters        INTEGER NOT NULL,
  facility_meters  INTEGER NOT NULL,
  water_meters     INTEGER NOT NULL,
  renewable_meters INTEGER NOT NULL,
  reused_meters    INTEGER NOT NULL,
  co2_meters       INTEGER NOT NULL,
  below_it         INTEGER NOT NULL,
  slots            INTEGER NOT NULL,
  it_mwh           INTEGER NOT NULL,
  facility_mwh     INTEGER NOT NULL,
  water_ml         INTEGER NOT NULL,
  renewable_mwh    INTEGER NOT NULL,
  reused_mwh       INTEGER NOT NULL,
  co2_mg           INTEGER NOT NULL,
  PRIMARY KEY (cluster_seq, class, day, it_meters, facility_meters, water_meters, renewable_meters, reused_meters, co2_meters, below_it)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER datacenter_slot_is_grouped AFTER INSERT ON datacenter_slot
BEGIN
  INSERT INTO datacenter_slot_group VALUES (
    NEW.cluster_seq, NEW.class, NEW.slot / 96, NEW.it_meters, NEW.facility_meters, NEW.water_meters, NEW.renewable_meters,
    NEW.reused_meters, NEW.co2_meters, NEW.facility_mwh < NEW.it_mwh, 1, NEW.it_mwh, NEW.facility_mwh, NEW.water_ml,
    NEW.renewable_mwh, NEW.reused_mwh, NEW.co2_mg
  ) ON CONFLICT DO UPDATE SET
    slots = slots + 1, it_mwh = it_mwh + excluded.it_mwh, facility_mwh = facility_mwh + excluded.facility_mwh,
    water_ml = water_ml + excluded.water_ml, renewable_mwh = renewable_mwh + excluded.renewable_mwh,
    reused_mwh = reused_mwh + excluded.reused_mwh, co2_mg = co2_mg + excluded.co2_mg;
END;
CREATE TRIGGER datacenter_slot_changes_group AFTER UPDATE ON datacenter_slot
BEGIN
  UPDATE datacenter_slot_group SET
    slots = slots - 1, it_mwh = it_mwh - OLD.it_mwh, facility_mwh = facility_mwh - OLD.facility_mwh,
    water_ml = water_ml - OLD.water_ml, renewable_mwh = renewable_mwh - OLD.renewable_mwh,
    reused_mwh = reused_mwh - OLD.reused_mwh, co2_mg = co2_mg - OLD.co2_mg
  WHERE cluster_seq = OLD.cluster_seq AND class = OLD.class AND day = OLD.slot / 96 AND it_meters = OLD.it_meters
    AND facility_meters = OLD.facility_meters AND water_meters = OLD.water_meters AND renewable_meters = OLD.renewable_meters
    AND reused_meters = OLD.reused_meters AND co2_meters = OLD.co2_meters AND below_it = (OLD.facility_mwh < OLD.it_mwh);
  INSERT INTO datacenter_slot_group VALUES (
    NEW.cluster_seq, NEW.class, NEW.slot / 96, NEW.it_meters, NEW.facility_meters, NEW.water_meters, NEW.renewable_meters,
    NEW.reused_meters, NEW.co2_meters, NEW.facility_mwh < NEW.it_mwh, 1, NEW.it_mwh, NEW.facility_mwh, NEW.water_ml,
    NEW.renewable_mwh, NEW.reused_mwh, NEW.co2_mg
  ) ON CONFLICT DO UPDATE SET
    slots = slots + 1, it_mwh = it_mwh + excluded.it_mwh, facility_mwh = facility_mwh + excluded.facility_mwh,
    water_ml = water_ml + excluded.water_ml, renewable_mwh = renewable_mwh + excluded.renewable_mwh,
    reused_mwh = reused_mwh + excluded.reused_mwh, co2_mg = co2_mg + excluded.co2_mg;
END;
-- Each slot passes through as many groups as it has meters.
CREATE TRIGGER datacenter_slot_group_ends AFTER UPDATE ON datacenter_slot_group WHEN NEW.slots = 0
BEGIN
  DELETE FROM datacenter_slot_group
  WHERE cluster_seq = NEW.cluster_seq AND class = NEW.class AND day = NEW.day AND it_meters = NEW.it_meters
    AND facility_meters = NEW.facility_meters AND water_meters = NEW.water_meters AND renewable_meters = NEW.renewable_meters
    AND reused_meters = NEW.reused_meters AND co2_meters = NEW.co2_meters AND below_it = NEW.below_it;
END;
CREATE TRIGGER datacenter_slot_stays BEFORE DELETE ON datacenter_slot
BEGIN SELECT RAISE(ABORT, 'slots are never deleted'); END;

-- A piece that is added (change 1) or taken away (change -1).
CREATE VIEW datacenter_piece_change AS
  SELECT cluster_seq, class, instance_seq, is_day, place, ms, it_mwh, facility_mwh, water_ml, renewable_mwh, reused_mwh, co2_mg, 1 AS change
  FROM datacenter_piece;
CREATE TRIGGER datacenter_piece_changes_day INSTEAD OF INSERT ON datacenter_piece_change WHEN NEW.is_day
BEGIN
  INSERT INTO datacenter_whole_day VALUES (
    NEW.cluster_seq, NEW.class, NEW.place, NEW.change * (NEW.it_mwh IS NOT NULL), NEW.change * (NEW.facility_mwh IS NOT NULL),
    NEW.change * (NEW.water_ml IS NOT NULL), NEW.change * (NEW.renewable_mwh IS NOT NULL), NEW.change * (NEW.reused_mwh IS NOT NULL),
    NEW.change * (NEW.co2_mg IS NOT NULL), NEW.change * coalesce(NEW.it_mwh, 0), NEW.change * coalesce(NEW.facility_mwh, 0),
    NEW.change * coalesce(NEW.water_ml, 0), NEW.change * coalesce(NEW.renewable_mwh, 0), NEW.change * coalesce(NEW.reused_mwh, 0),
    NEW.change * coalesce(NEW.co2_mg, 0)
  ) ON CONFLICT DO UPDATE SET
    it_meters = it_meters + excluded.it_meters, facility_meters = facility_meters + excluded.facility_meters,
    water_meters = water_meters + excluded.water_meters, renewable_meters = renewable_meters + excluded.renewable_meters,
    reused_meters = reused_meters + excluded.reused_meters, co2_meters = co2_meters + excluded.co2_meters,
    it_mwh = it_mwh + excluded.it_mwh, facility_mwh = facility_mwh + excluded.facility_mwh, water_ml = water_ml + excluded.water_ml,
    renewable_mwh = renewable_mwh + excluded.renewable_mwh, reused_mwh = reused_mwh + excluded.reused_mwh,
    co2_mg = co2_mg + excluded.co2_mg;
END;
CREATE TRIGGER datacenter_piece_changes_slot INSTEAD OF INSERT ON datacenter_piece_change WHEN NOT NEW.is_day
BEGIN
  INSERT INTO datacenter_slot VALUES (
    NEW.cluster_seq, NEW.class, NEW.place, NEW.change * (NEW.ms = 900000 AND NEW.it_mwh IS NOT NULL),
    NEW.change * (NEW.ms = 900000 AND NEW.facility_mwh IS NOT NULL), NEW.change * (NEW.ms = 900000 AND NEW.water_ml IS NOT NULL),
    NEW.change * (NEW.ms = 900000 AND NEW.renewable_mwh IS NOT NULL), NEW.change * (NEW.ms = 900000 AND NEW.reused_mwh IS NOT NULL),
    NEW.change * (NEW.ms = 900000 AND NEW.co2_mg IS NOT NULL), NEW.change * coalesce(NEW.it_mwh, 0),
    NEW.change * coalesce(NEW.facility_mwh, 0), NEW.change * coalesce(NEW.water_ml, 0), NEW.change * coalesce(NEW.renewable_mwh, 0),
    NEW.change * coalesce(NEW.reused_mwh, 0), NEW.change * coalesce(NEW.co2_mg, 0)
  ) ON CONFLICT DO UPDATE SET
    it_meters = it_meters + excluded.it_meters, facility_meters = facility_meters + excluded.facility_meters,
    water_meters = water_meters + excluded.water_meters, renewable_meters = renewable_meters + excluded.renewable_meters,
    reused_meters = reused_meters + excluded.reused_meters, co2_meters = co2_meters + excluded.co2_meters,
    it_mwh = it_mwh + excluded.it_mwh, facility_mwh = facility_mwh + excluded.facility_mwh, water_ml = water_ml + excluded.water_ml,
    renewable_mwh = renewable_mwh + excluded.renewable_mwh, reused_mwh = reused_mwh + excluded.reused_mwh,
    co2_mg = co2_mg + excluded.co2_mg;
END;
CREATE TRIGGER datacenter_piece_changes_part INSTEAD OF INSERT ON datacenter_piece_change WHEN NOT NEW.is_day AND NEW.ms < 900000
BEGIN
  INSERT INTO datacenter_slot_part VALUES (
    NEW.cluster_seq, NEW.class, NEW.place, NEW.instance_seq, NEW.change * NEW.ms * (NEW.it_mwh IS NOT NULL),
    NEW.change * NEW.ms * (NEW.facility_mwh IS NOT NULL), NEW.change * NEW.ms * (NEW.water_ml IS NOT NULL),
    NEW.change * NEW.ms * (NEW.renewable_mwh IS NOT NULL), NEW.change * NEW.ms * (NEW.reused_mwh IS NOT NULL),
    NEW.change * NEW.ms * (NEW.co2_mg IS NOT NULL)
  ) ON CONFLICT DO UPDATE SET
    it_ms = it_ms + excluded.it_ms, facility_ms = facility_ms + excluded.facility_ms, water_ms = water_ms + excluded.water_ms,
    renewable_ms = renewable_ms + excluded.renewable_ms, reused_ms = reused_ms + excluded.reused_ms, co2_ms = co2_ms + excluded.co2_ms;
END;
CREATE TRIGGER datacenter_slot_part_covers AFTER UPDATE ON datacenter_slot_part
WHEN (NEW.it_ms = 900000) <> (OLD.it_ms = 900000) OR (NEW.facility_ms = 900000) <> (OLD.facility_ms = 900000)
  OR (NEW.water_ms = 900000) <> (OLD.water_ms = 900000) OR (NEW.renewable_ms = 900000) <> (OLD.renewable_ms = 900000)
  OR (NEW.reused_ms = 900000) <> (OLD.reused_ms = 900000) OR (NEW.co2_ms = 900000) <> (OLD.co2_ms = 900000)
BEGIN
  UPDATE datacenter_slot SET
    it_meters = it_meters + (NEW.it_ms = 900000) - (OLD.it_ms = 900000),
    facility_meters = facility_meters + (NEW.facility_ms = 900000) - (OLD.facility_ms = 900000),
    water_meters = water_meters + (NEW.water_ms = 900000) - (OLD.water_ms = 900000),
    renewable_meters = renewable_meters + (NEW.renewable_ms = 900000) - (OLD.renewable_ms = 900000),
    reused_meters = reused_meters + (NEW.reused_ms = 900000) - (OLD.reused_ms = 900000),
    co2_meters = co2_meters + (NEW.co2_ms = 900000) - (OLD.co2_ms = 900000)
  WHERE cluster_seq = NEW.cluster_seq AND class = NEW.class AND slot = NEW.slot;
END;

-- A meter that was taken out of service: nothing is expected of it from then on.
CREATE TABLE datacenter_retirement (
  instance_seq INTEGER PRIMARY KEY REFERENCES datacenter_instance (instance_seq),
  cluster_seq  INTEGER NOT NULL REFERENCES datacenter_cluster (cluster_seq),
  -- The receipt that the service issued for it.
  receipt_seq  INTEGER NOT NULL UNIQUE REFERENCES service_receipt (receipt_seq),
  retired_at   INTEGER NOT NULL CHECK (retired_at > 0)
) STRICT;
CREATE INDEX datacenter_retirement_by_cluster ON datacenter_retirement (cluster_seq, receipt_seq);
CREATE TRIGGER datacenter_retirement_is_final BEFORE UPDATE ON datacenter_retirement
BEGIN SELECT RAISE(ABORT, 'a meter is retired once'); END;
CREATE TRIGGER datacenter_retirement_stays BEFORE DELETE ON datacenter_retirement
BEGIN SELECT RAISE(ABORT, 'retirements are never deleted'); END;

-- The slots in which a quantity is expected of a meter: from that of the earliest window that it ever sent with it, until it is retired.
-- Corrected windows count too: otherwise a correction could take the hours of a meter out.
CREATE TABLE datacenter_register (
  instance_seq INTEGER NOT NULL REFERENCES datacenter_instance (instance_seq),
  class        TEXT NOT NULL CHECK (length(class) BETWEEN 1 AND 32),
  quantity     TEXT NOT NULL CHECK (length(quantity) BETWEEN 1 AND 16),
  cluster_seq  INTEGER NOT NULL REFERENCES datacenter_cluster (cluster_seq),
  from_slot    INTEGER NOT NULL,
  -- Exclusive; NULL while it is in service.
  until_slot   INTEGER,
  PRIMARY KEY (instance_seq, class, quantity)
) STRICT, WITHOUT ROWID;

-- By how many meters the number of those that are expected changes with a slot.
CREATE TABLE datacenter_register_step (
  cluster_seq INTEGER NOT NULL REFERENCES datacenter_cluster (cluster_seq),
  class       TEXT NOT NULL CHECK (length(class) BETWEEN 1 AND 32),
  slot        INTEGER NOT NULL,
  quantity    TEXT NOT NULL CHECK (length(quantity) BETWEEN 1 AND 16),
  change      INTEGER NOT NULL,
  PRIMARY KEY (cluster_seq, class, slot, quantity)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER datacenter_register_begins AFTER INSERT ON datacenter_register
BEGIN
  INSERT INTO datacenter_register_step SELECT NEW.cluster_seq, NEW.class, NEW.from_slot, NEW.quantity, 1
  WHERE NEW.from_slot IS NOT NULL ON CONFLICT DO UPDATE SET change = change + 1;
  INSERT INTO datacenter_register_step SELECT NEW.cluster_seq, NEW.class, NEW.until_slot, NEW.quantity, -1
  WHERE NEW.until_slot IS NOT NULL ON CONFLICT DO UPDATE SET change = change - 1;
END;
CREATE TRIGGER datacenter_register_moves AFTER UPDATE ON datacenter_register
BEGIN
  INSERT INTO datacenter_register_step SELECT OLD.cluster_seq, OLD.class, OLD.from_slot, OLD.quantity, -1
  WHERE OLD.from_slot IS NOT NULL ON CONFLICT DO UPDATE SET change = change - 1;
  INSERT INTO datacenter_register_step SELECT OLD.cluster_seq, OLD.class, OLD.until_slot, OLD.quantity, 1
  WHERE OLD.until_slot IS NOT NULL ON CONFLICT DO UPDATE SET change = change + 1;
  INSERT INTO datacenter_register_step SELECT NEW.cluster_seq, NEW.class, NEW.from_slot, NEW.quantity, 1
  WHERE NEW.from_slot IS NOT NULL ON CONFLICT DO UPDATE SET change = change + 1;
  INSERT INTO datacenter_register_step SELECT NEW.cluster_seq, NEW.class, NEW.until_slot, NEW.quantity, -1
  WHERE NEW.until_slot IS NOT NULL ON CONFLICT DO UPDATE SET change = change - 1;
END;
CREATE TRIGGER datacenter_register_stays BEFORE DELETE ON datacenter_register
BEGIN SELECT RAISE(ABORT, 'what is expected of a meter is never deleted'); END;
CREATE TRIGGER datacenter_register_step_ends AFTER UPDATE ON datacenter_register_step WHEN NEW.change = 0
BEGIN
  DELETE FROM datacenter_register_step
  WHERE cluster_seq = NEW.cluster_seq AND class = NEW.class AND slot = NEW.slot AND quantity = NEW.quantity;
END;
CREATE TRIGGER datacenter_retirement_ends_registers AFTER INSERT ON datacenter_retirement
BEGIN
  UPDATE datacenter_register SET until_slot = (NEW.retired_at + 899999) / 900000 WHERE instance_seq = NEW.instance_seq;
END;

-- When a meter was enrolled in a class: with the first item that counted as energy, corrected or not. And its first attestation.
CREATE TABLE datacenter_meter (
  cluster_seq  INTEGER NOT NULL REFERENCES datacenter_cluster (cluster_seq),
  class        TEXT NOT NULL CHECK (length(class) BETWEEN 1 AND 32),
  instance_seq INTEGER NOT NULL REFERENCES datacenter_instance (instance_seq),
  enrolled_seq INTEGER NOT NULL,
  attested_seq INTEGER,
  PRIMARY KEY (cluster_seq, class, instance_seq)
) STRICT, WITHOUT ROWID;

-- What each item adds to its day. Power counts as energy; extremes are those of all rows that are current.
CREATE VIEW datacenter_contribution AS
SELECT receipt_seq, cluster_seq, class, day, superseded_by, window_start, window_end,
  max(window_end - window_start, coalesce(it_mwh, 0), coalesce(facility_mwh, 0), coalesce(water_ml, 0), coalesce(renewable_mwh, 0),
    coalesce(reused_mwh, 0), coalesce(co2_mg, 0), coalesce(power_mwh, 0), coalesce(nameplate_mwh, 0), coalesce(saved_mwh, 0),
    coalesce(avoided_g, 0), coalesce(abs(inlet_mc) * (window_end - window_start) / 1000, 0)) AS magnitude,
  counts_energy = 1 AND it_mwh IS NOT NULL AS it_rows,
  counts_energy = 1 AND it_mwh IS NOT NULL AND pue_category IS 1 AS category_1_rows,
  counts_energy = 1 AND it_mwh IS NOT NULL AND pue_category IS 2 AS category_2_rows,
  counts_energy = 1 AND it_mwh IS NOT NULL AND pue_category IS 3 AS category_3_rows,
  iif(counts_energy = 1 AND power_mw IS NOT NULL, power_mwh, 0) AS power_mwh,
  iif(counts_energy = 1 AND power_mw IS NOT NULL, window_end - window_start, 0) AS power_ms,
  counts_energy = 1 AND power_mw IS NOT NULL AS power_rows,
  iif(counts_energy = 1, power_mw, NULL) AS power_mw,
  iif(counts_energy = 1 AND power_mw IS NOT NULL AND nameplate_mw IS NOT NULL, power_mwh, 0) AS rated_power_mwh,
  iif(counts_energy = 1 AND power_mw IS NOT NULL AND nameplate_mw IS NOT NULL, nameplate_mwh, 0) AS rated_nameplate_mwh,
  iif(counts_thermal = 1, window_end - window_start, 0) AS thermal_ms,
  counts_thermal AS thermal_rows,
  junction_mc,
  inlet_mc,
  iif(counts_thermal = 1 AND inlet_mc IS NOT NULL, inlet_mc * (window_end - window_start) / 1000, 0) AS inlet_mc_s,
  iif(counts_thermal = 1 AND inlet_mc IS NOT NULL, window_end - window_start, 0) AS inlet_ms,
  throttled IS 1 AS throttled_rows,
  setpoint_applied IS NOT NULL AS setpoint_rows,
  setpoint_applied IS 1 AS setpoint_applied,
  iif(event_type = 'CARBON_AVOIDED_ACCRUAL', coalesce(saved_mwh, 0), 0) AS saved_mwh,
  iif(event_type = 'CARBON_AVOIDED_ACCRUAL', coalesce(avoided_g, 0), 0) AS avoided_g,
  iif(event_type = 'CARBON_AVOIDED_ACCRUAL', window_end - window_start, 0) AS avoided_ms,
  event_type = 'CARBON_AVOIDED_ACCRUAL' AS avoided_rows,
  -- The time of energy, and how much of it arrived more than 48 hours after the end of its window.
  iif(counts_energy = 1 AND it_mwh IS NOT NULL, window_end - window_start, 0) AS it_ms,
  iif(counts_energy = 1 AND it_mwh IS NOT NULL AND ingested_at > window_end + 172800000, window_end - window_start, 0) AS it_late_ms,
  iif(counts_energy = 1 AND facility_mwh IS NOT NULL, window_end - window_start, 0) AS facility_ms,
  iif(counts_energy = 1 AND facility_mwh IS NOT NULL AND ingested_at > window_end + 172800000, window_end - window_start, 0)
    AS facility_late_ms
FROM datacenter_evidence;

-- What is counted by item and not by slot, for each UTC day (that of the end of the window).
DROP TABLE datacenter_day;
CREATE TABLE datacenter_day (
  cluster_seq         INTEGER NOT NULL REFERENCES datacenter_cluster (cluster_seq),
  class               TEXT NOT NULL CHECK (length(class) BETWEEN 1 AND 32),
  day                 INTEGER NOT NULL,
  -- Of all items: their number, how many were corrected, a bound of all their sums, their first start and last end.
  evidence            INTEGER NOT NULL,
  corrected           INTEGER NOT NULL,
  magnitude           INTEGER NOT NULL,
  first_start         INTEGER NOT NULL,
  last_end            INTEGER NOT NULL,
  -- Of the items that were not corrected.
  it_rows             INTEGER NOT NULL,
  category_1_rows     INTEGER NOT NULL,
  category_2_rows     INTEGER NOT NULL,
  category_3_rows     INTEGER NOT NULL,
  power_mwh           INTEGER NOT NULL,
  power_ms            INTEGER NOT NULL,
  power_rows          INTEGER NOT NULL,
  power_max_mw        INTEGER,
  rated_power_mwh     INTEGER NOT NULL,
  rated_nameplate_mwh INTEGER NOT NULL,
  thermal_ms          INTEGER NOT NULL,
  thermal_rows        INTEGER NOT NULL,
  junction_max_mc     INTEGER,
  inlet_min_mc        INTEGER,
  inlet_max_mc        INTEGER,
  inlet_mc_s          INTEGER NOT NULL,
  inlet_ms            INTEGER NOT NULL,
  throttled_rows      INTEGER NOT NULL,
  setpoint_rows       INTEGER NOT NULL,
  setpoint_applied    INTEGER NOT NULL,
  saved_mwh           INTEGER NOT NULL,
  avoided_g           INTEGER NOT NULL,
  avoided_ms          INTEGER NOT NULL,
  avoided_rows        INTEGER NOT NULL,
  it_ms               INTEGER NOT NULL,
  it_late_ms          INTEGER NOT NULL,
  facility_ms         INTEGER NOT NULL,
  facility_late_ms    INTEGER NOT NULL,
  PRIMARY KEY (cluster_seq, class, day)
) STRICT, WITHOUT ROWID;

-- What the derived tables must be: this migration fills them with it, and fsck compares them with it.
CREATE VIEW datacenter_day_expected AS
SELECT cluster_seq, class, day, count(*) AS evidence, count(superseded_by) AS corrected, sum(magnitude) AS magnitude,
  min(window_start) AS first_start, max(window_end) AS last_end,
  coalesce(sum(it_rows) FILTER (WHERE superseded_by IS NULL), 0) AS it_rows,
  coalesce(sum(category_1_rows) FILTER (WHERE superseded_by IS NULL), 0) AS category_1_rows,
  coalesce(sum(category_2_rows) FILTER (WHERE superseded_by IS NULL), 0) AS category_2_rows,
  coalesce(sum(category_3_rows) FILTER (WHERE superseded_by IS NULL), 0) AS category_3_rows,
  coalesce(sum(power_mwh) FILTER (WHERE superseded_by IS NULL), 0) AS power_mwh,
  coalesce(sum(power_ms) FILTER (WHERE superseded_by IS NULL), 0) AS power_ms,
  coalesce(sum(power_rows) FILTER (WHERE superseded_by IS NULL), 0) AS power_rows,
  max(power_mw) FILTER (WHERE superseded_by IS NULL) AS power_max_mw,
  coalesce(sum(rated_power_mwh) FILTER (WHERE superseded_by IS NULL), 0) AS rated_power_mwh,
  coalesce(sum(rated_nameplate_mwh) FILTER (WHERE superseded_by IS NULL), 0) AS rated_nameplate_mwh,
  coalesce(sum(thermal_ms) FILTER (WHERE superseded_by IS NULL), 0) AS thermal_ms,
  coalesce(sum(thermal_rows) FILTER (WHERE superseded_by IS NULL), 0) AS thermal_rows,
  max(junction_mc) FILTER (WHERE superseded_by IS NULL) AS junction_max_mc,
  min(inlet_mc) FILTER (WHERE superseded_by IS NULL) AS inlet_min_mc, max(inlet_mc) FILTER (WHERE superseded_by IS NULL) AS inlet_max_mc,
  coalesce(sum(inlet_mc_s) FILTER (WHERE superseded_by IS NULL), 0) AS inlet_mc_s,
  coalesce(sum(inlet_ms) FILTER (WHERE superseded_by IS NULL), 0) AS inlet_ms,
  coalesce(sum(throttled_rows) FILTER (WHERE superseded_by IS NULL), 0) AS throttled_rows,
  coalesce(sum(setpoint_rows) FILTER (WHERE superseded_by IS NULL), 0) AS setpoint_rows,
  coalesce(sum(setpoint_applied) FILTER (WHERE superseded_by IS NULL), 0) AS setpoint_applied,
  coalesce(sum(saved_mwh) FILTER (WHERE superseded_by IS NULL), 0) AS saved_mwh,
  coalesce(sum(avoided_g) FILTER (WHERE superseded_by IS NULL), 0) AS avoided_g,
  coalesce(sum(avoided_ms) FILTER (WHERE superseded_by IS NULL), 0) AS avoided_ms,
  coalesce(sum(avoided_rows) FILTER (WHERE superseded_by IS NULL), 0) AS avoided_rows,
  coalesce(sum(it_ms) FILTER (WHERE superseded_by IS NULL), 0) AS it_ms,
  coalesce(sum(it_late_ms) FILTER (WHERE superseded_by IS NULL), 0) AS it_late_ms,
  coalesce(sum(facility_ms) FILTER (WHERE superseded_by IS NULL), 0) AS facility_ms,
  coalesce(sum(facility_late_ms) FILTER (WHERE superseded_by IS NULL), 0) AS facility_late_ms
FROM datacenter_contribution GROUP BY cluster_seq, class, day;
CREATE VIEW datacenter_whole_day_expected AS
SELECT cluster_seq, class, place AS day,
  count(it_mwh) AS it_meters, count(facility_mwh) AS facility_meters, count(water_ml) AS water_meters,
  count(renewable_mwh) AS renewable_meters, count(reused_mwh) AS reused_meters, count(co2_mg) AS co2_meters,
  coalesce(sum(it_mwh), 0) AS it_mwh, coalesce(sum(facility_mwh), 0) AS facility_mwh, coalesce(sum(water_ml), 0) AS water_ml,
  coalesce(sum(renewable_mwh), 0) AS renewable_mwh, coalesce(sum(reused_mwh), 0) AS reused_mwh, coalesce(sum(co2_mg), 0) AS co2_mg
FROM datacenter_piece WHERE is_day AND superseded_by IS NULL GROUP BY cluster_seq, class, place;
CREATE VIEW datacenter_slot_part_expected AS
SELECT cluster_seq, class, place AS slot, instance_seq,
  sum(ms * (it_mwh IS NOT NULL)) AS it_ms, sum(ms * (facility_mwh IS NOT NULL)) AS facility_ms,
  sum(ms * (water_ml IS NOT NULL)) AS water_ms, sum(ms * (renewable_mwh IS NOT NULL)) AS renewable_ms,
  sum(ms * (reused_mwh IS NOT NULL)) AS reused_ms, sum(ms * (co2_mg IS NOT NULL)) AS co2_ms
FROM datacenter_piece WHERE NOT is_day AND ms < 900000 AND superseded_by IS NULL GROUP BY cluster_seq, class, place, instance_seq;
CREATE VIEW datacenter_slot_expected AS
SELECT cluster_seq, class, slot,
  sum(it_meters) AS it_meters, sum(facility_meters) AS facility_meters, sum(water_meters) AS water_meters,
  sum(renewable_meters) AS renewable_meters, sum(reused_meters) AS reused_meters, sum(co2_meters) AS co2_meters, sum(it_mwh) AS it_mwh,
  sum(facility_mwh) AS facility_mwh, sum(water_ml) AS water_ml, sum(renewable_mwh) AS renewable_mwh, sum(reused_mwh) AS reused_mwh,
  sum(co2_mg) AS co2_mg
FROM (
  SELECT cluster_seq, class, place AS slot,
    ms = 900000 AND it_mwh IS NOT NULL AS it_meters, ms = 900000 AND facility_mwh IS NOT NULL AS facility_meters,
    ms = 900000 AND water_ml IS NOT NULL AS water_meters, ms = 900000 AND renewable_mwh IS NOT NULL AS renewable_meters,
    ms = 900000 AND reused_mwh IS NOT NULL AS reused_meters, ms = 900000 AND co2_mg IS NOT NULL AS co2_meters,
    coalesce(it_mwh, 0) AS it_mwh, coalesce(facility_mwh, 0) AS facility_mwh, coalesce(water_ml, 0) AS water_ml,
    coalesce(renewable_mwh, 0) AS renewable_mwh, coalesce(reused_mwh, 0) AS reused_mwh, coalesce(co2_mg, 0) AS co2_mg
  FROM datacenter_piece WHERE NOT is_day AND superseded_by IS NULL
  UNION ALL
  SELECT cluster_seq, class, slot, it_ms = 900000, facility_ms = 900000, water_ms = 900000, renewable_ms = 900000, reused_ms = 900000,
    co2_ms = 900000, 0, 0, 0, 0, 0, 0
  FROM datacenter_slot_part
) GROUP BY cluster_seq, class, slot;
CREATE VIEW datacenter_slot_group_expected AS
SELECT cluster_seq, class, slot / 96 AS day,
  it_meters, facility_meters, water_meters, renewable_meters, reused_meters, co2_meters, facility_mwh < it_mwh AS below_it,
  count(*) AS slots, sum(it_mwh) AS it_mwh, sum(facility_mwh) AS facility_mwh, sum(water_ml) AS water_ml,
  sum(renewable_mwh) AS renewable_mwh, sum(reused_mwh) AS reused_mwh, sum(co2_mg) AS co2_mg
FROM datacenter_slot GROUP BY cluster_seq, class, slot / 96, it_meters, facility_meters, water_meters, renewable_meters, reused_meters,
  co2_meters, facility_mwh < it_mwh;
CREATE VIEW datacenter_register_expected AS
SELECT e.instance_seq, e.class, q.quantity, e.cluster_seq, min(e.window_start) / 900000 AS from_slot,
  (r.retired_at + 899999) / 900000 AS until_slot
FROM datacenter_evidence e JOIN datacenter_quantity q ON e.registers & q.bit
  LEFT JOIN datacenter_retirement r ON r.instance_seq = e.instance_seq
WHERE e.counts_energy = 1 GROUP BY e.instance_seq, e.class, q.quantity;
CREATE VIEW datacenter_register_step_expected AS
SELECT cluster_seq, class, slot, quantity, sum(change) AS change FROM (
  SELECT cluster_seq, class, from_slot AS slot, quantity, 1 AS change FROM datacenter_register
  UNION ALL SELECT cluster_seq, class, until_slot, quantity, -1 FROM datacenter_register WHERE until_slot IS NOT NULL
) GROUP BY cluster_seq, class, slot, quantity HAVING sum(change) <> 0;
CREATE VIEW datacenter_meter_expected AS
SELECT cluster_seq, class, instance_seq, min(receipt_seq) AS enrolled_seq,
  min(receipt_seq) FILTER (WHERE attester_seq IS NOT NULL) AS attested_seq
FROM datacenter_evidence WHERE counts_energy = 1 GROUP BY cluster_seq, class, instance_seq;

-- Slots and registers are written with their groups and steps, by triggers.
INSERT INTO datacenter_day SELECT * FROM datacenter_day_expected;
INSERT INTO datacenter_whole_day SELECT * FROM datacenter_whole_day_expected;
INSERT INTO datacenter_slot_part SELECT * FROM datacenter_slot_part_expected;
INSERT INTO datacenter_slot SELECT * FROM datacenter_slot_expected;
INSERT INTO datacenter_register SELECT * FROM datacenter_register_expected;
INSERT INTO datacenter_meter SELECT * FROM datacenter_meter_expected;

CREATE TRIGGER datacenter_day_only_grows BEFORE UPDATE ON datacenter_day
WHEN NEW.cluster_seq <> OLD.cluster_seq OR NEW.class <> OLD.class OR NEW.day <> OLD.day
  OR (NEW.evidence - OLD.evidence, NEW.corrected - OLD.corrected) NOT IN (VALUES (1, 0), (0, 1))
BEGIN SELECT RAISE(ABORT, 'sums of telemetry only grow'); END;
CREATE TRIGGER datacenter_day_stays BEFORE DELETE ON datacenter_day
BEGIN SELECT RAISE(ABORT, 'sums of telemetry are never deleted'); END;

CREATE TRIGGER datacenter_evidence_is_summed AFTER INSERT ON datacenter_evidence
BEGIN
  INSERT INTO datacenter_instance_class VALUES (NEW.cluster_seq, NEW.class, NEW.instance_seq, NEW.day, NEW.day, 1)
  ON CONFLICT DO UPDATE SET first_day = min(first_day, NEW.day), last_day = max(last_day, NEW.day), evidence = evidence + 1;

  INSERT INTO datacenter_day
  SELECT cluster_seq, class, day, 1, 0, magnitude, window_start, window_end,
    it_rows, category_1_rows, category_2_rows, category_3_rows, power_mwh, power_ms, power_rows, power_mw, rated_power_mwh,
    rated_nameplate_mwh, thermal_ms, thermal_rows, junction_mc, inlet_mc, inlet_mc, inlet_mc_s, inlet_ms, throttled_rows, setpoint_rows,
    setpoint_applied, saved_mwh, avoided_g, avoided_ms, avoided_rows, it_ms, it_late_ms, facility_ms, facility_late_ms
  FROM datacenter_contribution WHERE receipt_seq = NEW.receipt_seq
  ON CONFLICT DO UPDATE SET
    evidence = evidence + 1, magnitude = magnitude + excluded.magnitude, first_start = min(first_start, excluded.first_start),
    last_end = max(last_end, excluded.last_end),
    it_rows = it_rows + excluded.it_rows, category_1_rows = category_1_rows + excluded.category_1_rows,
    category_2_rows = category_2_rows + excluded.category_2_rows, category_3_rows = category_3_rows + excluded.category_3_rows,
    power_mwh = power_mwh + excluded.power_mwh, power_ms = power_ms + excluded.power_ms, power_rows = power_rows + excluded.power_rows,
    power_max_mw = max(coalesce(power_max_mw, excluded.power_max_mw), coalesce(excluded.power_max_mw, power_max_mw)),
    rated_power_mwh = rated_power_mwh + excluded.rated_power_mwh, rated_nameplate_mwh = rated_nameplate_mwh + excluded.rated_nameplate_mwh,
    thermal_ms = thermal_ms + excluded.thermal_ms, thermal_rows = thermal_rows + excluded.thermal_rows,
    junction_max_mc = max(coalesce(junction_max_mc, excluded.junction_max_mc), coalesce(excluded.junction_max_mc, junction_max_mc)),
    inlet_min_mc = min(coalesce(inlet_min_mc, excluded.inlet_min_mc), coalesce(excluded.inlet_min_mc, inlet_min_mc)),
    inlet_max_mc = max(coalesce(inlet_max_mc, excluded.inlet_max_mc), coalesce(excluded.inlet_max_mc, inlet_max_mc)),
    inlet_mc_s = inlet_mc_s + excluded.inlet_mc_s, inlet_ms = inlet_ms + excluded.inlet_ms,
    throttled_rows = throttled_rows + excluded.throttled_rows, setpoint_rows = setpoint_rows + excluded.setpoint_rows,
    setpoint_applied = setpoint_applied + excluded.setpoint_applied, saved_mwh = saved_mwh + excluded.saved_mwh,
    avoided_g = avoided_g + excluded.avoided_g, avoided_ms = avoided_ms + excluded.avoided_ms,
    avoided_rows = avoided_rows + excluded.avoided_rows,
    it_ms = it_ms + excluded.it_ms,
    it_late_ms = it_late_ms + excluded.it_late_ms,
    facility_ms = facility_ms + excluded.facility_ms,
    facility_late_ms = facility_late_ms + excluded.facility_late_ms;
END;
CREATE TRIGGER datacenter_evidence_leaves_sums AFTER UPDATE OF superseded_by ON datacenter_evidence
BEGIN
  UPDATE datacenter_day SET
    corrected = datacenter_day.corrected + 1,
    it_rows = datacenter_day.it_rows - c.it_rows, category_1_rows = datacenter_day.category_1_rows - c.category_1_rows,
    category_2_rows = datacenter_day.category_2_rows - c.category_2_rows, category_3_rows = datacenter_day.category_3_rows - c.category_3_rows,
    power_mwh = datacenter_day.power_mwh - c.power_mwh, power_ms = datacenter_day.power_ms - c.power_ms, power_rows = datacenter_day.power_rows - c.power_rows,
    power_max_mw = iif(c.power_mw IS NOT NULL AND c.power_mw = datacenter_day.power_max_mw, (SELECT max(power_mw) FROM datacenter_evidence
      WHERE cluster_seq = NEW.cluster_seq AND class = NEW.class AND day = NEW.day AND counts_energy = 1 AND superseded_by IS NULL
        AND power_mw IS NOT NULL), datacenter_day.power_max_mw),
    rated_power_mwh = datacenter_day.rated_power_mwh - c.rated_power_mwh, rated_nameplate_mwh = datacenter_day.rated_nameplate_mwh - c.rated_nameplate_mwh,
    thermal_ms = datacenter_day.thermal_ms - c.thermal_ms, thermal_rows = datacenter_day.thermal_rows - c.thermal_rows,
    junction_max_mc = iif(c.junction_mc IS NOT NULL AND c.junction_mc = datacenter_day.junction_max_mc, (SELECT max(junction_mc) FROM datacenter_evidence
      WHERE cluster_seq = NEW.cluster_seq AND class = NEW.class AND day = NEW.day AND superseded_by IS NULL
        AND junction_mc IS NOT NULL), datacenter_day.junction_max_mc),
    inlet_min_mc = iif(c.inlet_mc IS NOT NULL AND c.inlet_mc = datacenter_day.inlet_min_mc, (SELECT min(inlet_mc) FROM datacenter_evidence
      WHERE cluster_seq = NEW.cluster_seq AND class = NEW.class AND day = NEW.day AND superseded_by IS NULL
        AND inlet_mc IS NOT NULL), datacenter_day.inlet_min_mc),
    inlet_max_mc = iif(c.inlet_mc IS NOT NULL AND c.inlet_mc = datacenter_day.inlet_max_mc, (SELECT max(inlet_mc) FROM datacenter_evidence
      WHERE cluster_seq = NEW.cluster_seq AND class = NEW.class AND day = NEW.day AND superseded_by IS NULL
        AND inlet_mc IS NOT NULL), datacenter_day.inlet_max_mc),
    inlet_mc_s = datacenter_day.inlet_mc_s - c.inlet_mc_s, inlet_ms = datacenter_day.inlet_ms - c.inlet_ms, throttled_rows = datacenter_day.throttled_rows - c.throttled_rows,
    setpoint_rows = datacenter_day.setpoint_rows - c.setpoint_rows, setpoint_applied = datacenter_day.setpoint_applied - c.setpoint_applied,
    saved_mwh = datacenter_day.saved_mwh - c.saved_mwh, avoided_g = datacenter_day.avoided_g - c.avoided_g, avoided_ms = datacenter_day.avoided_ms - c.avoided_ms,
    avoided_rows = datacenter_day.avoided_rows - c.avoided_rows,
    it_ms = datacenter_day.it_ms - c.it_ms,
    it_late_ms = datacenter_day.it_late_ms - c.it_late_ms,
    facility_ms = datacenter_day.facility_ms - c.facility_ms,
    facility_late_ms = datacenter_day.facility_late_ms - c.facility_late_ms
  FROM datacenter_contribution c
  WHERE c.receipt_seq = NEW.receipt_seq AND datacenter_day.cluster_seq = NEW.cluster_seq AND datacenter_day.class = NEW.class AND datacenter_day.day = NEW.day;
END;

CREATE TRIGGER datacenter_evidence_is_metered AFTER INSERT ON datacenter_evidence WHEN NEW.counts_energy = 1
BEGIN
  INSERT INTO datacenter_piece_change
  SELECT cluster_seq, class, instance_seq, is_day, place, ms, it_mwh, facility_mwh, water_ml, renewable_mwh, reused_mwh, co2_mg, 1
  FROM datacenter_piece WHERE receipt_seq = NEW.receipt_seq;

  INSERT INTO datacenter_register
  SELECT NEW.instance_seq, NEW.class, quantity, NEW.cluster_seq, NEW.window_start / 900000,
    (SELECT (retired_at + 899999) / 900000 FROM datacenter_retirement WHERE instance_seq = NEW.instance_seq)
  FROM datacenter_quantity WHERE NEW.registers & bit
  ON CONFLICT DO UPDATE SET from_slot = excluded.from_slot WHERE excluded.from_slot < from_slot;

  INSERT INTO datacenter_meter
  VALUES (NEW.cluster_seq, NEW.class, NEW.instance_seq, NEW.receipt_seq, iif(NEW.attester_seq IS NULL, NULL, NEW.receipt_seq))
  ON CONFLICT DO UPDATE SET attested_seq = excluded.attested_seq WHERE attested_seq IS NULL AND excluded.attested_seq IS NOT NULL;
END;
CREATE TRIGGER datacenter_evidence_leaves_slots AFTER UPDATE OF superseded_by ON datacenter_evidence WHEN NEW.counts_energy = 1
BEGIN
  INSERT INTO datacenter_piece_change
  SELECT cluster_seq, class, instance_seq, is_day, place, ms, it_mwh, facility_mwh, water_ml, renewable_mwh, reused_mwh, co2_mg, -1
  FROM datacenter_piece WHERE receipt_seq = NEW.receipt_seq;
END;
