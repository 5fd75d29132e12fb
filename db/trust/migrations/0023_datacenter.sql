-- Telemetry of data centers: what operators sent about their clusters, and sums of it by UTC day. Times are milliseconds since 1970.
-- Values are integers in small units, so that sums are exact: mWh, mL, mW, thousandths of a degree Celsius (mc) and of a percent,
-- mg of CO2e for each kWh, grams.

CREATE TABLE datacenter_cluster (
  cluster_seq  INTEGER PRIMARY KEY,
  cluster_id   TEXT NOT NULL UNIQUE CHECK (length(cluster_id) BETWEEN 1 AND 128),
  -- The first operator that sent telemetry of it.
  operator_seq INTEGER NOT NULL REFERENCES operator (operator_seq),
  created_at   INTEGER NOT NULL CHECK (created_at >= 0)
) STRICT;
CREATE INDEX datacenter_cluster_by_operator ON datacenter_cluster (operator_seq);

CREATE TRIGGER datacenter_cluster_is_final BEFORE UPDATE ON datacenter_cluster
BEGIN SELECT RAISE(ABORT, 'a cluster keeps its operator'); END;
CREATE TRIGGER datacenter_cluster_stays BEFORE DELETE ON datacenter_cluster
BEGIN SELECT RAISE(ABORT, 'clusters are never deleted'); END;

CREATE TABLE datacenter_instance (
  instance_seq INTEGER PRIMARY KEY,
  cluster_seq  INTEGER NOT NULL REFERENCES datacenter_cluster (cluster_seq),
  instance_id  TEXT NOT NULL CHECK (length(instance_id) BETWEEN 1 AND 128),
  UNIQUE (cluster_seq, instance_id)
) STRICT;

CREATE TRIGGER datacenter_instance_is_final BEFORE UPDATE ON datacenter_instance
BEGIN SELECT RAISE(ABORT, 'instances never change'); END;
CREATE TRIGGER datacenter_instance_stays BEFORE DELETE ON datacenter_instance
BEGIN SELECT RAISE(ABORT, 'instances are never deleted'); END;

-- The classes in which an instance sent telemetry, and the first and last day of it. For the coverage of figures. A trigger writes it.
CREATE TABLE datacenter_instance_class (
  cluster_seq  INTEGER NOT NULL REFERENCES datacenter_cluster (cluster_seq),
  class        TEXT NOT NULL CHECK (length(class) BETWEEN 1 AND 32),
  instance_seq INTEGER NOT NULL REFERENCES datacenter_instance (instance_seq),
  first_day    INTEGER NOT NULL,
  last_day     INTEGER NOT NULL CHECK (last_day >= first_day),
  evidence     INTEGER NOT NULL CHECK (evidence >= 1),
  PRIMARY KEY (cluster_seq, class, instance_seq)
) STRICT, WITHOUT ROWID;

-- How many instances sent their first and their last telemetry of a class on a day: the instances of a period are those with a first day up
-- to its end, less those with a last day before it. Anybody can ask for any period, and a cluster can have very many instances. Triggers
-- write it.
CREATE TABLE datacenter_instance_day (
  cluster_seq INTEGER NOT NULL REFERENCES datacenter_cluster (cluster_seq),
  class       TEXT NOT NULL CHECK (length(class) BETWEEN 1 AND 32),
  day         INTEGER NOT NULL,
  firsts      INTEGER NOT NULL CHECK (firsts >= 0),
  lasts       INTEGER NOT NULL CHECK (lasts >= 0),
  PRIMARY KEY (cluster_seq, class, day)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER datacenter_instance_day_moves_by_one BEFORE UPDATE ON datacenter_instance_day
WHEN NEW.cluster_seq <> OLD.cluster_seq OR NEW.class <> OLD.class OR NEW.day <> OLD.day
  OR abs(NEW.firsts - OLD.firsts) + abs(NEW.lasts - OLD.lasts) <> 1
BEGIN SELECT RAISE(ABORT, 'counts of instances change by one'); END;
CREATE TRIGGER datacenter_instance_day_stays BEFORE DELETE ON datacenter_instance_day
BEGIN SELECT RAISE(ABORT, 'counts of instances are never deleted'); END;

CREATE TRIGGER datacenter_instance_class_begins AFTER INSERT ON datacenter_instance_class
BEGIN
  INSERT INTO datacenter_instance_day VALUES (NEW.cluster_seq, NEW.class, NEW.first_day, 1, 0)
  ON CONFLICT DO UPDATE SET firsts = firsts + 1;
  INSERT INTO datacenter_instance_day VALUES (NEW.cluster_seq, NEW.class, NEW.last_day, 0, 1)
  ON CONFLICT DO UPDATE SET lasts = lasts + 1;
END;
CREATE TRIGGER datacenter_instance_class_begins_earlier AFTER UPDATE OF first_day ON datacenter_instance_class
WHEN NEW.first_day <> OLD.first_day
BEGIN
  UPDATE datacenter_instance_day SET firsts = firsts - 1
  WHERE cluster_seq = NEW.cluster_seq AND class = NEW.class AND day = OLD.first_day;
  INSERT INTO datacenter_instance_day VALUES (NEW.cluster_seq, NEW.class, NEW.first_day, 1, 0)
  ON CONFLICT DO UPDATE SET firsts = firsts + 1;
END;
CREATE TRIGGER datacenter_instance_class_goes_on AFTER UPDATE OF last_day ON datacenter_instance_class
WHEN NEW.last_day <> OLD.last_day
BEGIN
  UPDATE datacenter_instance_day SET lasts = lasts - 1
  WHERE cluster_seq = NEW.cluster_seq AND class = NEW.class AND day = OLD.last_day;
  INSERT INTO datacenter_instance_day VALUES (NEW.cluster_seq, NEW.class, NEW.last_day, 0, 1)
  ON CONFLICT DO UPDATE SET lasts = lasts + 1;
END;

CREATE TABLE datacenter_evidence (
  -- The receipt that the service issued for it.
  receipt_seq       INTEGER PRIMARY KEY REFERENCES service_receipt (receipt_seq),
  evidence_id       BLOB NOT NULL UNIQUE CHECK (length(evidence_id) = 16),
  cluster_seq       INTEGER NOT NULL REFERENCES datacenter_cluster (cluster_seq),
  instance_seq      INTEGER NOT NULL REFERENCES datacenter_instance (instance_seq),
  event_type        TEXT NOT NULL CHECK (length(event_type) BETWEEN 1 AND 64),
  -- hardware_measured, declared or simulated.
  class             TEXT NOT NULL CHECK (length(class) BETWEEN 1 AND 32),
  window_start      INTEGER NOT NULL CHECK (window_start >= 0),
  window_end        INTEGER NOT NULL CHECK (window_end > window_start),
  -- The UTC day of the last millisecond of the window, in days since 1970.
  day               INTEGER NOT NULL CHECK (day = (window_end - 1) / 86400000),
  -- Whether its energy and water, and its temperatures, count: at most one row of an instance and a class counts for each moment.
  counts_energy     INTEGER NOT NULL CHECK (counts_energy IN (0, 1)),
  counts_thermal    INTEGER NOT NULL CHECK (counts_thermal IN (0, 1)),
  it_mwh            INTEGER CHECK (it_mwh >= 0),
  facility_mwh      INTEGER CHECK (facility_mwh >= it_mwh),
  water_ml          INTEGER CHECK (water_ml >= 0),
  renewable_mwh     INTEGER CHECK (renewable_mwh >= 0),
  reused_mwh        INTEGER CHECK (reused_mwh >= 0),
  power_mw          INTEGER CHECK (power_mw >= 0),
  nameplate_mw      INTEGER CHECK (nameplate_mw >= 0),
  delta_power       INTEGER,
  junction_mc       INTEGER,
  inlet_mc          INTEGER,
  setpoint_applied  INTEGER CHECK (setpoint_applied IN (0, 1)),
  throttled         INTEGER CHECK (throttled IN (0, 1)),
  carbon_mg_per_kwh INTEGER CHECK (carbon_mg_per_kwh >= 0),
  saved_mwh         INTEGER CHECK (saved_mwh >= 0),
  avoided_g         INTEGER CHECK (avoided_g >= 0),
  -- power_mw and nameplate_mw over the window, and the emissions of facility_mwh: products that 64 bits cannot hold on the way.
  power_mwh         INTEGER CHECK ((power_mwh IS NULL) = (power_mw IS NULL)),
  nameplate_mwh     INTEGER CHECK ((nameplate_mwh IS NULL) = (nameplate_mw IS NULL)),
  co2_mg            INTEGER CHECK ((co2_mg IS NULL) = (facility_mwh IS NULL OR carbon_mg_per_kwh IS NULL)),
  -- The instrument that signed it.
  agent_seq         INTEGER REFERENCES agent (agent_seq),
  payload_digest    BLOB NOT NULL CHECK (length(payload_digest) = 32),
  ingested_at       INTEGER NOT NULL CHECK (ingested_at >= 0),
  -- The body as sent, as canonical JSON, compressed. The last column: SQLite would read all of a large one to get at those behind it.
  payload           BLOB NOT NULL,
  CHECK ((class = 'hardware_measured') <= (agent_seq IS NOT NULL))
) STRICT;

-- Windows of one type do not overlap, so they are in the order of their ends, and one look-up finds an overlap. The same holds for the
-- rows of a class that count. By class, since no row of one class may keep one of another class out of its sums.
CREATE INDEX datacenter_evidence_by_window ON datacenter_evidence (instance_seq, event_type, window_end, window_start);
CREATE INDEX datacenter_evidence_by_energy ON datacenter_evidence (instance_seq, class, window_end, window_start) WHERE counts_energy = 1;
CREATE INDEX datacenter_evidence_by_thermal ON datacenter_evidence (instance_seq, class, window_end, window_start) WHERE counts_thermal = 1;
-- It ends in the rowid, which is receipt_seq: the newest item of a cluster is one look-up.
CREATE INDEX datacenter_evidence_by_cluster ON datacenter_evidence (cluster_seq);
CREATE INDEX datacenter_evidence_by_time ON datacenter_evidence (cluster_seq, ingested_at);

CREATE TRIGGER datacenter_evidence_overlaps BEFORE INSERT ON datacenter_evidence
WHEN NEW.window_end > (
  SELECT window_start FROM datacenter_evidence
  WHERE instance_seq = NEW.instance_seq AND event_type = NEW.event_type AND window_end > NEW.window_start
  ORDER BY window_end LIMIT 1
)
BEGIN SELECT RAISE(ABORT, 'windows of one instance and event type do not overlap'); END;
CREATE TRIGGER datacenter_evidence_counts_energy_once BEFORE INSERT ON datacenter_evidence
WHEN NEW.counts_energy = 1 AND NEW.window_end > (
  SELECT window_start FROM datacenter_evidence
  WHERE counts_energy = 1 AND instance_seq = NEW.instance_seq AND class = NEW.class AND window_end > NEW.window_start
  ORDER BY window_end LIMIT 1
)
BEGIN SELECT RAISE(ABORT, 'the energy of an instance counts once in a class'); END;
CREATE TRIGGER datacenter_evidence_counts_thermal_once BEFORE INSERT ON datacenter_evidence
WHEN NEW.counts_thermal = 1 AND NEW.window_end > (
  SELECT window_start FROM datacenter_evidence
  WHERE counts_thermal = 1 AND instance_seq = NEW.instance_seq AND class = NEW.class AND window_end > NEW.window_start
  ORDER BY window_end LIMIT 1
)
BEGIN SELECT RAISE(ABORT, 'the temperatures of an instance count once in a class'); END;
CREATE TRIGGER datacenter_evidence_is_final BEFORE UPDATE ON datacenter_evidence
BEGIN SELECT RAISE(ABORT, 'telemetry never changes'); END;
CREATE TRIGGER datacenter_evidence_stays BEFORE DELETE ON datacenter_evidence
BEGIN SELECT RAISE(ABORT, 'telemetry is never deleted'); END;

-- Sums of telemetry by cluster, class and day, which a trigger writes. For each figure: the sums of its numerator and its denominator over
-- the rows that have both, the milliseconds that they cover, and their number.
CREATE TABLE datacenter_day (
  cluster_seq         INTEGER NOT NULL REFERENCES datacenter_cluster (cluster_seq),
  class               TEXT NOT NULL CHECK (length(class) BETWEEN 1 AND 32),
  day                 INTEGER NOT NULL,
  -- All rows, also those that count for no energy.
  evidence            INTEGER NOT NULL DEFAULT 0,
  first_start         INTEGER NOT NULL,
  last_end            INTEGER NOT NULL,
  -- The inventory: every counted row with the value.
  it_mwh              INTEGER NOT NULL DEFAULT 0,
  it_ms               INTEGER NOT NULL DEFAULT 0,
  it_rows             INTEGER NOT NULL DEFAULT 0,
  facility_mwh        INTEGER NOT NULL DEFAULT 0,
  facility_ms         INTEGER NOT NULL DEFAULT 0,
  facility_rows       INTEGER NOT NULL DEFAULT 0,
  water_ml            INTEGER NOT NULL DEFAULT 0,
  water_ms            INTEGER NOT NULL DEFAULT 0,
  water_rows          INTEGER NOT NULL DEFAULT 0,
  renewable_mwh       INTEGER NOT NULL DEFAULT 0,
  renewable_rows      INTEGER NOT NULL DEFAULT 0,
  reused_mwh          INTEGER NOT NULL DEFAULT 0,
  reused_rows         INTEGER NOT NULL DEFAULT 0,
  -- Emissions of the facility's energy, and the energy that they are of.
  co2_mg              INTEGER NOT NULL DEFAULT 0,
  co2_facility_mwh    INTEGER NOT NULL DEFAULT 0,
  co2_ms              INTEGER NOT NULL DEFAULT 0,
  co2_rows            INTEGER NOT NULL DEFAULT 0,
  pue_facility_mwh    INTEGER NOT NULL DEFAULT 0,
  pue_it_mwh          INTEGER NOT NULL DEFAULT 0,
  pue_ms              INTEGER NOT NULL DEFAULT 0,
  pue_rows            INTEGER NOT NULL DEFAULT 0,
  cue_co2_mg          INTEGER NOT NULL DEFAULT 0,
  cue_it_mwh          INTEGER NOT NULL DEFAULT 0,
  cue_ms              INTEGER NOT NULL DEFAULT 0,
  cue_rows            INTEGER NOT NULL DEFAULT 0,
  wue_water_ml        INTEGER NOT NULL DEFAULT 0,
  wue_it_mwh          INTEGER NOT NULL DEFAULT 0,
  wue_ms              INTEGER NOT NULL DEFAULT 0,
  wue_rows            INTEGER NOT NULL DEFAULT 0,
  ref_renewable_mwh   INTEGER NOT NULL DEFAULT 0,
  ref_facility_mwh    INTEGER NOT NULL DEFAULT 0,
  ref_ms              INTEGER NOT NULL DEFAULT 0,
  ref_rows            INTEGER NOT NULL DEFAULT 0,
  erf_reused_mwh      INTEGER NOT NULL DEFAULT 0,
  erf_facility_mwh    INTEGER NOT NULL DEFAULT 0,
  erf_ms              INTEGER NOT NULL DEFAULT 0,
  erf_rows            INTEGER NOT NULL DEFAULT 0,
  -- The mean power is power_mwh over power_ms; its share of the nameplate is rated_power_mwh over rated_nameplate_mwh.
  power_mwh           INTEGER NOT NULL DEFAULT 0,
  power_ms            INTEGER NOT NULL DEFAULT 0,
  power_rows          INTEGER NOT NULL DEFAULT 0,
  power_max_mw        INTEGER,
  rated_power_mwh     INTEGER NOT NULL DEFAULT 0,
  rated_nameplate_mwh INTEGER NOT NULL DEFAULT 0,
  rated_ms            INTEGER NOT NULL DEFAULT 0,
  rated_rows          INTEGER NOT NULL DEFAULT 0,
  -- Temperatures. Extremes are those of all rows. The mean of the inlet is inlet_mc_s over inlet_ms / 1000.
  thermal_ms          INTEGER NOT NULL DEFAULT 0,
  thermal_rows        INTEGER NOT NULL DEFAULT 0,
  junction_max_mc     INTEGER,
  junction_rows       INTEGER NOT NULL DEFAULT 0,
  inlet_min_mc        INTEGER,
  inlet_max_mc        INTEGER,
  inlet_mc_s          INTEGER NOT NULL DEFAULT 0,
  inlet_ms            INTEGER NOT NULL DEFAULT 0,
  inlet_rows          INTEGER NOT NULL DEFAULT 0,
  throttled_rows      INTEGER NOT NULL DEFAULT 0,
  setpoint_rows       INTEGER NOT NULL DEFAULT 0,
  setpoint_applied    INTEGER NOT NULL DEFAULT 0,
  -- CARBON_AVOIDED_ACCRUAL only.
  saved_mwh           INTEGER NOT NULL DEFAULT 0,
  avoided_g           INTEGER NOT NULL DEFAULT 0,
  avoided_ms          INTEGER NOT NULL DEFAULT 0,
  avoided_rows        INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (cluster_seq, class, day)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER datacenter_day_only_grows BEFORE UPDATE ON datacenter_day
WHEN NEW.cluster_seq <> OLD.cluster_seq OR NEW.class <> OLD.class OR NEW.day <> OLD.day OR NEW.evidence <> OLD.evidence + 1
BEGIN SELECT RAISE(ABORT, 'sums of telemetry only grow'); END;
CREATE TRIGGER datacenter_day_stays BEFORE DELETE ON datacenter_day
BEGIN SELECT RAISE(ABORT, 'sums of telemetry are never deleted'); END;
CREATE TRIGGER datacenter_instance_class_only_grows BEFORE UPDATE ON datacenter_instance_class
WHEN NEW.cluster_seq <> OLD.cluster_seq OR NEW.class <> OLD.class OR NEW.instance_seq <> OLD.instance_seq
  OR NEW.evidence <> OLD.evidence + 1
BEGIN SELECT RAISE(ABORT, 'counts of telemetry only grow'); END;
CREATE TRIGGER datacenter_instance_class_stays BEFORE DELETE ON datacenter_instance_class
BEGIN SELECT RAISE(ABORT, 'counts of telemetry are never deleted'); END;

CREATE TRIGGER datacenter_evidence_is_summed AFTER INSERT ON datacenter_evidence
BEGIN
  INSERT INTO datacenter_instance_class VALUES (NEW.cluster_seq, NEW.class, NEW.instance_seq, NEW.day, NEW.day, 1)
  ON CONFLICT DO UPDATE SET first_day = min(first_day, NEW.day), last_day = max(last_day, NEW.day), evidence = evidence + 1;

  INSERT INTO datacenter_day (
    cluster_seq, class, day, evidence, first_start, last_end, it_mwh, it_ms, it_rows, facility_mwh, facility_ms, facility_rows,
    water_ml, water_ms, water_rows, renewable_mwh, renewable_rows, reused_mwh, reused_rows, co2_mg, co2_facility_mwh, co2_ms,
    co2_rows, pue_facility_mwh, pue_it_mwh, pue_ms, pue_rows, cue_co2_mg, cue_it_mwh, cue_ms, cue_rows, wue_water_ml, wue_it_mwh,
    wue_ms, wue_rows, ref_renewable_mwh, ref_facility_mwh, ref_ms, ref_rows, erf_reused_mwh, erf_facility_mwh, erf_ms, erf_rows,
    power_mwh, power_ms, power_rows, power_max_mw, rated_power_mwh, rated_nameplate_mwh, rated_ms, rated_rows, thermal_ms,
    thermal_rows, junction_max_mc, junction_rows, inlet_min_mc, inlet_max_mc, inlet_mc_s, inlet_ms, inlet_rows, throttled_rows,
    setpoint_rows, setpoint_applied, saved_mwh, avoided_g, avoided_ms, avoided_rows
  ) VALUES (
    NEW.cluster_seq, NEW.class, NEW.day, 1, NEW.window_start, NEW.window_end,
    iif(NEW.counts_energy = 1 AND NEW.it_mwh IS NOT NULL, NEW.it_mwh, 0),
    iif(NEW.counts_energy = 1 AND NEW.it_mwh IS NOT NULL, NEW.window_end - NEW.window_start, 0),
    iif(NEW.counts_energy = 1 AND NEW.it_mwh IS NOT NULL, 1, 0),
    iif(NEW.counts_energy = 1 AND NEW.facility_mwh IS NOT NULL, NEW.facility_mwh, 0),
    iif(NEW.counts_energy = 1 AND NEW.facility_mwh IS NOT NULL, NEW.window_end - NEW.window_start, 0),
    iif(NEW.counts_energy = 1 AND NEW.facility_mwh IS NOT NULL, 1, 0),
    iif(NEW.counts_energy = 1 AND NEW.water_ml IS NOT NULL, NEW.water_ml, 0),
    iif(NEW.counts_energy = 1 AND NEW.water_ml IS NOT NULL, NEW.window_end - NEW.window_start, 0),
    iif(NEW.counts_energy = 1 AND NEW.water_ml IS NOT NULL, 1, 0),
    iif(NEW.counts_energy = 1 AND NEW.renewable_mwh IS NOT NULL, NEW.renewable_mwh, 0),
    iif(NEW.counts_energy = 1 AND NEW.renewable_mwh IS NOT NULL, 1, 0),
    iif(NEW.counts_energy = 1 AND NEW.reused_mwh IS NOT NULL, NEW.reused_mwh, 0),
    iif(NEW.counts_energy = 1 AND NEW.reused_mwh IS NOT NULL, 1, 0),
    iif(NEW.counts_energy = 1 AND NEW.co2_mg IS NOT NULL, NEW.co2_mg, 0),
    iif(NEW.counts_energy = 1 AND NEW.co2_mg IS NOT NULL, NEW.facility_mwh, 0),
    iif(NEW.counts_energy = 1 AND NEW.co2_mg IS NOT NULL, NEW.window_end - NEW.window_start, 0),
    iif(NEW.counts_energy = 1 AND NEW.co2_mg IS NOT NULL, 1, 0),
    iif(NEW.counts_energy = 1 AND NEW.facility_mwh IS NOT NULL AND NEW.it_mwh IS NOT NULL, NEW.facility_mwh, 0),
    iif(NEW.counts_energy = 1 AND NEW.facility_mwh IS NOT NULL AND NEW.it_mwh IS NOT NULL, NEW.it_mwh, 0),
    iif(NEW.counts_energy = 1 AND NEW.facility_mwh IS NOT NULL AND NEW.it_mwh IS NOT NULL, NEW.window_end - NEW.window_start, 0),
    iif(NEW.counts_energy = 1 AND NEW.facility_mwh IS NOT NULL AND NEW.it_mwh IS NOT NULL, 1, 0),
    iif(NEW.counts_energy = 1 AND NEW.co2_mg IS NOT NULL AND NEW.it_mwh IS NOT NULL, NEW.co2_mg, 0),
    iif(NEW.counts_energy = 1 AND NEW.co2_mg IS NOT NULL AND NEW.it_mwh IS NOT NULL, NEW.it_mwh, 0),
    iif(NEW.counts_energy = 1 AND NEW.co2_mg IS NOT NULL AND NEW.it_mwh IS NOT NULL, NEW.window_end - NEW.window_start, 0),
    iif(NEW.counts_energy = 1 AND NEW.co2_mg IS NOT NULL AND NEW.it_mwh IS NOT NULL, 1, 0),
    iif(NEW.counts_energy = 1 AND NEW.water_ml IS NOT NULL AND NEW.it_mwh IS NOT NULL, NEW.water_ml, 0),
    iif(NEW.counts_energy = 1 AND NEW.water_ml IS NOT NULL AND NEW.it_mwh IS NOT NULL, NEW.it_mwh, 0),
    iif(NEW.counts_energy = 1 AND NEW.water_ml IS NOT NULL AND NEW.it_mwh IS NOT NULL, NEW.window_end - NEW.window_start, 0),
    iif(NEW.counts_energy = 1 AND NEW.water_ml IS NOT NULL AND NEW.it_mwh IS NOT NULL, 1, 0),
    iif(NEW.counts_energy = 1 AND NEW.renewable_mwh IS NOT NULL AND NEW.facility_mwh IS NOT NULL, NEW.renewable_mwh, 0),
    iif(NEW.counts_energy = 1 AND NEW.renewable_mwh IS NOT NULL AND NEW.facility_mwh IS NOT NULL, NEW.facility_mwh, 0),
    iif(NEW.counts_energy = 1 AND NEW.renewable_mwh IS NOT NULL AND NEW.facility_mwh IS NOT NULL, NEW.window_end - NEW.window_start, 0),
    iif(NEW.counts_energy = 1 AND NEW.renewable_mwh IS NOT NULL AND NEW.facility_mwh IS NOT NULL, 1, 0),
    iif(NEW.counts_energy = 1 AND NEW.reused_mwh IS NOT NULL AND NEW.facility_mwh IS NOT NULL, NEW.reused_mwh, 0),
    iif(NEW.counts_energy = 1 AND NEW.reused_mwh IS NOT NULL AND NEW.facility_mwh IS NOT NULL, NEW.facility_mwh, 0),
    iif(NEW.counts_energy = 1 AND NEW.reused_mwh IS NOT NULL AND NEW.facility_mwh IS NOT NULL, NEW.window_end - NEW.window_start, 0),
    iif(NEW.counts_energy = 1 AND NEW.reused_mwh IS NOT NULL AND NEW.facility_mwh IS NOT NULL, 1, 0),
    iif(NEW.counts_energy = 1 AND NEW.power_mw IS NOT NULL, NEW.power_mwh, 0),
    iif(NEW.counts_energy = 1 AND NEW.power_mw IS NOT NULL, NEW.window_end - NEW.window_start, 0),
    iif(NEW.counts_energy = 1 AND NEW.power_mw IS NOT NULL, 1, 0), iif(NEW.counts_energy = 1, NEW.power_mw, NULL),
    iif(NEW.counts_energy = 1 AND NEW.power_mw IS NOT NULL AND NEW.nameplate_mw IS NOT NULL, NEW.power_mwh, 0),
    iif(NEW.counts_energy = 1 AND NEW.power_mw IS NOT NULL AND NEW.nameplate_mw IS NOT NULL, NEW.nameplate_mwh, 0),
    iif(NEW.counts_energy = 1 AND NEW.power_mw IS NOT NULL AND NEW.nameplate_mw IS NOT NULL, NEW.window_end - NEW.window_start, 0),
    iif(NEW.counts_energy = 1 AND NEW.power_mw IS NOT NULL AND NEW.nameplate_mw IS NOT NULL, 1, 0),
    iif(NEW.counts_thermal = 1, NEW.window_end - NEW.window_start, 0), iif(NEW.counts_thermal = 1, 1, 0), NEW.junction_mc,
    iif(NEW.junction_mc IS NOT NULL, 1, 0), NEW.inlet_mc, NEW.inlet_mc,
    iif(NEW.counts_thermal = 1 AND NEW.inlet_mc IS NOT NULL, NEW.inlet_mc * (NEW.window_end - NEW.window_start) / 1000, 0),
    iif(NEW.counts_thermal = 1 AND NEW.inlet_mc IS NOT NULL, NEW.window_end - NEW.window_start, 0),
    iif(NEW.counts_thermal = 1 AND NEW.inlet_mc IS NOT NULL, 1, 0), iif(NEW.throttled = 1, 1, 0),
    iif(NEW.setpoint_applied IS NOT NULL, 1, 0), iif(NEW.setpoint_applied = 1, 1, 0),
    iif(NEW.event_type = 'CARBON_AVOIDED_ACCRUAL' AND NEW.saved_mwh IS NOT NULL, NEW.saved_mwh, 0),
    iif(NEW.event_type = 'CARBON_AVOIDED_ACCRUAL' AND NEW.avoided_g IS NOT NULL, NEW.avoided_g, 0),
    iif(NEW.event_type = 'CARBON_AVOIDED_ACCRUAL', NEW.window_end - NEW.window_start, 0),
    iif(NEW.event_type = 'CARBON_AVOIDED_ACCRUAL', 1, 0)
  )
  ON CONFLICT DO UPDATE SET
    evidence = evidence + 1, first_start = min(first_start, excluded.first_start), last_end = max(last_end, excluded.last_end),
    it_mwh = it_mwh + excluded.it_mwh, it_ms = it_ms + excluded.it_ms, it_rows = it_rows + excluded.it_rows,
    facility_mwh = facility_mwh + excluded.facility_mwh, facility_ms = facility_ms + excluded.facility_ms,
    facility_rows = facility_rows + excluded.facility_rows, water_ml = water_ml + excluded.water_ml,
    water_ms = water_ms + excluded.water_ms, water_rows = water_rows + excluded.water_rows,
    renewable_mwh = renewable_mwh + excluded.renewable_mwh, renewable_rows = renewable_rows + excluded.renewable_rows,
    reused_mwh = reused_mwh + excluded.reused_mwh, reused_rows = reused_rows + excluded.reused_rows,
    co2_mg = co2_mg + excluded.co2_mg, co2_facility_mwh = co2_facility_mwh + excluded.co2_facility_mwh,
    co2_ms = co2_ms + excluded.co2_ms, co2_rows = co2_rows + excluded.co2_rows,
    pue_facility_mwh = pue_facility_mwh + excluded.pue_facility_mwh, pue_it_mwh = pue_it_mwh + excluded.pue_it_mwh,
    pue_ms = pue_ms + excluded.pue_ms, pue_rows = pue_rows + excluded.pue_rows, cue_co2_mg = cue_co2_mg + excluded.cue_co2_mg,
    cue_it_mwh = cue_it_mwh + excluded.cue_it_mwh, cue_ms = cue_ms + excluded.cue_ms, cue_rows = cue_rows + excluded.cue_rows,
    wue_water_ml = wue_water_ml + excluded.wue_water_ml, wue_it_mwh = wue_it_mwh + excluded.wue_it_mwh,
    wue_ms = wue_ms + excluded.wue_ms, wue_rows = wue_rows + excluded.wue_rows,
    ref_renewable_mwh = ref_renewable_mwh + excluded.ref_renewable_mwh,
    ref_facility_mwh = ref_facility_mwh + excluded.ref_facility_mwh, ref_ms = ref_ms + excluded.ref_ms,
    ref_rows = ref_rows + excluded.ref_rows, erf_reused_mwh = erf_reused_mwh + excluded.erf_reused_mwh,
    erf_facility_mwh = erf_facility_mwh + excluded.erf_facility_mwh, erf_ms = erf_ms + excluded.erf_ms,
    erf_rows = erf_rows + excluded.erf_rows, power_mwh = power_mwh + excluded.power_mwh, power_ms = power_ms + excluded.power_ms,
    power_rows = power_rows + excluded.power_rows,
    power_max_mw = max(coalesce(power_max_mw, excluded.power_max_mw), coalesce(excluded.power_max_mw, power_max_mw)),
    rated_power_mwh = rated_power_mwh + excluded.rated_power_mwh,
    rated_nameplate_mwh = rated_nameplate_mwh + excluded.rated_nameplate_mwh, rated_ms = rated_ms + excluded.rated_ms,
    rated_rows = rated_rows + excluded.rated_rows, thermal_ms = thermal_ms + excluded.thermal_ms,
    thermal_rows = thermal_rows + excluded.thermal_rows,
    junction_max_mc = max(coalesce(junction_max_mc, excluded.junction_max_mc), coalesce(excluded.junction_max_mc, junction_max_mc)),
    junction_rows = junction_rows + excluded.junction_rows,
    inlet_min_mc = min(coalesce(inlet_min_mc, excluded.inlet_min_mc), coalesce(excluded.inlet_min_mc, inlet_min_mc)),
    inlet_max_mc = max(coalesce(inlet_max_mc, excluded.inlet_max_mc), coalesce(excluded.inlet_max_mc, inlet_max_mc)),
    inlet_mc_s = inlet_mc_s + excluded.inlet_mc_s, inlet_ms = inlet_ms + excluded.inlet_ms,
    inlet_rows = inlet_rows + excluded.inlet_rows, throttled_rows = throttled_rows + excluded.throttled_rows,
    setpoint_rows = setpoint_rows + excluded.setpoint_rows, setpoint_applied = setpoint_applied + excluded.setpoint_applied,
    saved_mwh = saved_mwh + excluded.saved_mwh, avoided_g = avoided_g + excluded.avoided_g,
    avoided_ms = avoided_ms + excluded.avoided_ms, avoided_rows = avoided_rows + excluded.avoided_rows;
END;
