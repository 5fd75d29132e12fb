-- Figures of energy say how far they can be trusted: per slot, whether a value arrived late, was corrected, or is of a window longer than an
-- hour; what was sent first; and for each day the longest window. A slot is late if any of its meters is.

DROP TRIGGER datacenter_evidence_is_summed;
DROP TRIGGER datacenter_evidence_leaves_sums;
DROP TRIGGER datacenter_evidence_is_metered;
DROP TRIGGER datacenter_evidence_leaves_slots;
DROP TRIGGER datacenter_slot_is_grouped;
DROP TRIGGER datacenter_slot_changes_group;
DROP TRIGGER datacenter_day_only_grows;
DROP VIEW datacenter_piece_change;
DROP VIEW datacenter_day_expected;
DROP VIEW datacenter_contribution;
DROP VIEW datacenter_whole_day_expected;
DROP VIEW datacenter_slot_part_expected;
DROP VIEW datacenter_slot_expected;
DROP VIEW datacenter_slot_group_expected;
DROP VIEW datacenter_piece;

-- The time of late energy was that of each meter apart, so that many meters on time hid one that was late.
ALTER TABLE datacenter_day DROP COLUMN it_ms;
ALTER TABLE datacenter_day DROP COLUMN it_late_ms;
ALTER TABLE datacenter_day DROP COLUMN facility_ms;
ALTER TABLE datacenter_day DROP COLUMN facility_late_ms;
-- The longest window with energy of the IT equipment or of the facility, corrected ones included; 0 for none.
ALTER TABLE datacenter_day ADD COLUMN longest_ms INTEGER NOT NULL DEFAULT 0;
-- The energy of items that correct none, corrected or not; and how many values are late, are of a correction, or of a window over an hour.
ALTER TABLE datacenter_whole_day ADD COLUMN first_it_mwh INTEGER NOT NULL DEFAULT 0;
ALTER TABLE datacenter_whole_day ADD COLUMN first_facility_mwh INTEGER NOT NULL DEFAULT 0;
ALTER TABLE datacenter_whole_day ADD COLUMN late INTEGER NOT NULL DEFAULT 0;
ALTER TABLE datacenter_whole_day ADD COLUMN corrected INTEGER NOT NULL DEFAULT 0;
ALTER TABLE datacenter_whole_day ADD COLUMN coarse INTEGER NOT NULL DEFAULT 0;
ALTER TABLE datacenter_slot ADD COLUMN first_it_mwh INTEGER NOT NULL DEFAULT 0;
ALTER TABLE datacenter_slot ADD COLUMN first_facility_mwh INTEGER NOT NULL DEFAULT 0;
ALTER TABLE datacenter_slot ADD COLUMN late INTEGER NOT NULL DEFAULT 0;
ALTER TABLE datacenter_slot ADD COLUMN corrected INTEGER NOT NULL DEFAULT 0;
ALTER TABLE datacenter_slot ADD COLUMN coarse INTEGER NOT NULL DEFAULT 0;
-- The same, and how many slots of the group have such values.
ALTER TABLE datacenter_slot_group ADD COLUMN first_it_mwh INTEGER NOT NULL DEFAULT 0;
ALTER TABLE datacenter_slot_group ADD COLUMN first_facility_mwh INTEGER NOT NULL DEFAULT 0;
ALTER TABLE datacenter_slot_group ADD COLUMN late_slots INTEGER NOT NULL DEFAULT 0;
ALTER TABLE datacenter_slot_group ADD COLUMN corrected_slots INTEGER NOT NULL DEFAULT 0;
ALTER TABLE datacenter_slot_group ADD COLUMN coarse_slots INTEGER NOT NULL DEFAULT 0;

-- As before, with what each piece says of its slot.
CREATE VIEW datacenter_piece AS
SELECT receipt_seq, cluster_seq, class, instance_seq, superseded_by, is_first, late, corrected, coarse, is_day, place, till - since AS ms,
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
          corrects IS NULL AS is_first, registers & 31 <> 0 AND ingested_at > window_end + 172800000 AS late,
          registers & 31 <> 0 AND corrects IS NOT NULL AS corrected,
          registers & 3 <> 0 AND window_end - window_start > 3600000 AS coarse,
          window_end - window_start AS duration, it_mwh, facility_mwh, water_ml, renewable_mwh, reused_mwh, co2_mg,
          window_start / 900000 AS first_slot, (window_end - 1) / 900000 AS last_slot,
          (window_start + 86399999) / 86400000 AS first_day,
          max(window_end / 86400000 - (window_start + 86399999) / 86400000, 0) AS days
        FROM datacenter_evidence WHERE counts_energy = 1
      )
    ) JOIN datacenter_number ON n < head + days + tail
  )
);

-- A piece that is added (change 1) or taken away (change -1). What was sent first is added once and stays.
CREATE VIEW datacenter_piece_change AS
  SELECT cluster_seq, class, instance_seq, is_day, place, ms, it_mwh, facility_mwh, water_ml, renewable_mwh, reused_mwh, co2_mg, late,
    corrected, coarse, 1 AS change, is_first AS first
  FROM datacenter_piece;
CREATE TRIGGER datacenter_piece_changes_day INSTEAD OF INSERT ON datacenter_piece_change WHEN NEW.is_day
BEGIN
  INSERT INTO datacenter_whole_day VALUES (
    NEW.cluster_seq, NEW.class, NEW.place, NEW.change * (NEW.it_mwh IS NOT NULL), NEW.change * (NEW.facility_mwh IS NOT NULL),
    NEW.change * (NEW.water_ml IS NOT NULL), NEW.change * (NEW.renewable_mwh IS NOT NULL), NEW.change * (NEW.reused_mwh IS NOT NULL),
    NEW.change * (NEW.co2_mg IS NOT NULL), NEW.change * coalesce(NEW.it_mwh, 0), NEW.change * coalesce(NEW.facility_mwh, 0),
    NEW.change * coalesce(NEW.water_ml, 0), NEW.change * coalesce(NEW.renewable_mwh, 0), NEW.change * coalesce(NEW.reused_mwh, 0),
    NEW.change * coalesce(NEW.co2_mg, 0),
    NEW.first * coalesce(NEW.it_mwh, 0), NEW.first * coalesce(NEW.facility_mwh, 0), NEW.change * NEW.late, NEW.change * NEW.corrected,
    NEW.change * NEW.coarse
  ) ON CONFLICT DO UPDATE SET
    it_meters = it_meters + excluded.it_meters, facility_meters = facility_meters + excluded.facility_meters,
    water_meters = water_meters + excluded.water_meters, renewable_meters = renewable_meters + excluded.renewable_meters,
    reused_meters = reused_meters + excluded.reused_meters, co2_meters = co2_meters + excluded.co2_meters,
    it_mwh = it_mwh + excluded.it_mwh, facility_mwh = facility_mwh + excluded.facility_mwh, water_ml = water_ml + excluded.water_ml,
    renewable_mwh = renewable_mwh + excluded.renewable_mwh, reused_mwh = reused_mwh + excluded.reused_mwh,
    co2_mg = co2_mg + excluded.co2_mg, first_it_mwh = first_it_mwh + excluded.first_it_mwh,
    first_facility_mwh = first_facility_mwh + excluded.first_facility_mwh, late = late + excluded.late,
    corrected = corrected + excluded.corrected, coarse = coarse + excluded.coarse;
END;
CREATE TRIGGER datacenter_piece_changes_slot INSTEAD OF INSERT ON datacenter_piece_change WHEN NOT NEW.is_day
BEGIN
  INSERT INTO datacenter_slot VALUES (
    NEW.cluster_seq, NEW.class, NEW.place, NEW.change * (NEW.ms = 900000 AND NEW.it_mwh IS NOT NULL),
    NEW.change * (NEW.ms = 900000 AND NEW.facility_mwh IS NOT NULL), NEW.change * (NEW.ms = 900000 AND NEW.water_ml IS NOT NULL),
    NEW.change * (NEW.ms = 900000 AND NEW.renewable_mwh IS NOT NULL), NEW.change * (NEW.ms = 900000 AND NEW.reused_mwh IS NOT NULL),
    NEW.change * (NEW.ms = 900000 AND NEW.co2_mg IS NOT NULL), NEW.change * coalesce(NEW.it_mwh, 0),
    NEW.change * coalesce(NEW.facility_mwh, 0), NEW.change * coalesce(NEW.water_ml, 0), NEW.change * coalesce(NEW.renewable_mwh, 0),
    NEW.change * coalesce(NEW.reused_mwh, 0), NEW.change * coalesce(NEW.co2_mg, 0),
    NEW.first * coalesce(NEW.it_mwh, 0), NEW.first * coalesce(NEW.facility_mwh, 0), NEW.change * NEW.late, NEW.change * NEW.corrected,
    NEW.change * NEW.coarse
  ) ON CONFLICT DO UPDATE SET
    it_meters = it_meters + excluded.it_meters, facility_meters = facility_meters + excluded.facility_meters,
    water_meters = water_meters + excluded.water_meters, renewable_meters = renewable_meters + excluded.renewable_meters,
    reused_meters = reused_meters + excluded.reused_meters, co2_meters = co2_meters + excluded.co2_meters,
    it_mwh = it_mwh + excluded.it_mwh, facility_mwh = facility_mwh + excluded.facility_mwh, water_ml = water_ml + excluded.water_ml,
    renewable_mwh = renewable_mwh + excluded.renewable_mwh, reused_mwh = reused_mwh + excluded.reused_mwh,
    co2_mg = co2_mg + excluded.co2_mg, first_it_mwh = first_it_mwh + excluded.first_it_mwh,
    first_facility_mwh = first_facility_mwh + excluded.first_facility_mwh, late = late + excluded.late,
    corrected = corrected + excluded.corrected, coarse = coarse + excluded.coarse;
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
  iif(counts_energy = 1 AND registers & 3 <> 0, window_end - window_start, 0) AS longest_ms
FROM datacenter_evidence;
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
  max(longest_ms) AS longest_ms
FROM datacenter_contribution GROUP BY cluster_seq, class, day;
CREATE VIEW datacenter_whole_day_expected AS
SELECT cluster_seq, class, place AS day,
  count(it_mwh) FILTER (WHERE superseded_by IS NULL) AS it_meters,
  count(facility_mwh) FILTER (WHERE superseded_by IS NULL) AS facility_meters,
  count(water_ml) FILTER (WHERE superseded_by IS NULL) AS water_meters,
  count(renewable_mwh) FILTER (WHERE superseded_by IS NULL) AS renewable_meters,
  count(reused_mwh) FILTER (WHERE superseded_by IS NULL) AS reused_meters,
  count(co2_mg) FILTER (WHERE superseded_by IS NULL) AS co2_meters,
  coalesce(sum(it_mwh) FILTER (WHERE superseded_by IS NULL), 0) AS it_mwh,
  coalesce(sum(facility_mwh) FILTER (WHERE superseded_by IS NULL), 0) AS facility_mwh,
  coalesce(sum(water_ml) FILTER (WHERE superseded_by IS NULL), 0) AS water_ml,
  coalesce(sum(renewable_mwh) FILTER (WHERE superseded_by IS NULL), 0) AS renewable_mwh,
  coalesce(sum(reused_mwh) FILTER (WHERE superseded_by IS NULL), 0) AS reused_mwh,
  coalesce(sum(co2_mg) FILTER (WHERE superseded_by IS NULL), 0) AS co2_mg,
  coalesce(sum(it_mwh) FILTER (WHERE is_first), 0) AS first_it_mwh,
  coalesce(sum(facility_mwh) FILTER (WHERE is_first), 0) AS first_facility_mwh,
  coalesce(sum(late) FILTER (WHERE superseded_by IS NULL), 0) AS late,
  coalesce(sum(corrected) FILTER (WHERE superseded_by IS NULL), 0) AS corrected,
  coalesce(sum(coarse) FILTER (WHERE superseded_by IS NULL), 0) AS coarse
FROM datacenter_piece WHERE is_day GROUP BY cluster_seq, class, place;
CREATE VIEW datacenter_slot_part_expected AS
SELECT cluster_seq, class, place AS slot, instance_seq,
  sum(ms * (it_mwh IS NOT NULL)) AS it_ms, sum(ms * (facility_mwh IS NOT NULL)) AS facility_ms,
  sum(ms * (water_ml IS NOT NULL)) AS water_ms, sum(ms * (renewable_mwh IS NOT NULL)) AS renewable_ms,
  sum(ms * (reused_mwh IS NOT NULL)) AS reused_ms, sum(ms * (co2_mg IS NOT NULL)) AS co2_ms
FROM datacenter_piece WHERE NOT is_day AND ms < 900000 AND superseded_by IS NULL GROUP BY cluster_seq, class, place, instance_seq;
CREATE VIEW datacenter_slot_expected AS
SELECT cluster_seq, class, slot,
  sum(it_meters) AS it_meters, sum(facility_meters) AS facility_meters, sum(water_meters) AS water_meters,
  sum(renewable_meters) AS renewable_meters, sum(reused_meters) AS reused_meters, sum(co2_meters) AS co2_meters,
  sum(it_mwh) AS it_mwh, sum(facility_mwh) AS facility_mwh, sum(water_ml) AS water_ml,
  sum(renewable_mwh) AS renewable_mwh, sum(reused_mwh) AS reused_mwh, sum(co2_mg) AS co2_mg,
  sum(first_it_mwh) AS first_it_mwh, sum(first_facility_mwh) AS first_facility_mwh, sum(late) AS late,
  sum(corrected) AS corrected, sum(coarse) AS coarse
FROM (
  SELECT cluster_seq, class, place AS slot,
    now AND ms = 900000 AND it_mwh IS NOT NULL AS it_meters,
    now AND ms = 900000 AND facility_mwh IS NOT NULL AS facility_meters,
    now AND ms = 900000 AND water_ml IS NOT NULL AS water_meters,
    now AND ms = 900000 AND renewable_mwh IS NOT NULL AS renewable_meters,
    now AND ms = 900000 AND reused_mwh IS NOT NULL AS reused_meters,
    now AND ms = 900000 AND co2_mg IS NOT NULL AS co2_meters,
    now * coalesce(it_mwh, 0) AS it_mwh,
    now * coalesce(facility_mwh, 0) AS facility_mwh,
    now * coalesce(water_ml, 0) AS water_ml,
    now * coalesce(renewable_mwh, 0) AS renewable_mwh,
    now * coalesce(reused_mwh, 0) AS reused_mwh,
    now * coalesce(co2_mg, 0) AS co2_mg,
    is_first * coalesce(it_mwh, 0) AS first_it_mwh,
    is_first * coalesce(facility_mwh, 0) AS first_facility_mwh,
    now * late AS late, now * corrected AS corrected, now * coarse AS coarse
  FROM (SELECT *, superseded_by IS NULL AS now FROM datacenter_piece WHERE NOT is_day)
  UNION ALL
  SELECT cluster_seq, class, slot, it_ms = 900000, facility_ms = 900000, water_ms = 900000, renewable_ms = 900000, reused_ms = 900000,
    co2_ms = 900000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
  FROM datacenter_slot_part
) GROUP BY cluster_seq, class, slot;
CREATE VIEW datacenter_slot_group_expected AS
SELECT cluster_seq, class, slot / 96 AS day,
  it_meters, facility_meters, water_meters, renewable_meters, reused_meters, co2_meters, facility_mwh < it_mwh AS below_it,
  count(*) AS slots, sum(it_mwh) AS it_mwh, sum(facility_mwh) AS facility_mwh, sum(water_ml) AS water_ml,
  sum(renewable_mwh) AS renewable_mwh, sum(reused_mwh) AS reused_mwh, sum(co2_mg) AS co2_mg,
  sum(first_it_mwh) AS first_it_mwh, sum(first_facility_mwh) AS first_facility_mwh, sum(late > 0) AS late_slots,
  sum(corrected > 0) AS corrected_slots, sum(coarse > 0) AS coarse_slots
FROM datacenter_slot GROUP BY cluster_seq, class, slot / 96, it_meters, facility_meters, water_meters, renewable_meters, reused_meters,
  co2_meters, facility_mwh < it_mwh;

-- A row that holds no value any more is missing in what is expected, and stays at 0.
UPDATE datacenter_day SET longest_ms = e.longest_ms
  FROM datacenter_day_expected e
  WHERE datacenter_day.cluster_seq = e.cluster_seq AND datacenter_day.class = e.class AND datacenter_day.day = e.day;
UPDATE datacenter_whole_day SET first_it_mwh = e.first_it_mwh, first_facility_mwh = e.first_facility_mwh, late = e.late,
  corrected = e.corrected, coarse = e.coarse
  FROM datacenter_whole_day_expected e
  WHERE datacenter_whole_day.cluster_seq = e.cluster_seq AND datacenter_whole_day.class = e.class AND datacenter_whole_day.day = e.day;
UPDATE datacenter_slot SET first_it_mwh = e.first_it_mwh, first_facility_mwh = e.first_facility_mwh, late = e.late,
  corrected = e.corrected, coarse = e.coarse
  FROM datacenter_slot_expected e
  WHERE datacenter_slot.cluster_seq = e.cluster_seq AND datacenter_slot.class = e.class AND datacenter_slot.slot = e.slot;
UPDATE datacenter_slot_group SET first_it_mwh = e.first_it_mwh, first_facility_mwh = e.first_facility_mwh, late_slots = e.late_slots,
  corrected_slots = e.corrected_slots, coarse_slots = e.coarse_slots
  FROM datacenter_slot_group_expected e
  WHERE datacenter_slot_group.cluster_seq = e.cluster_seq AND datacenter_slot_group.class = e.class
    AND datacenter_slot_group.day = e.day AND datacenter_slot_group.it_meters = e.it_meters
    AND datacenter_slot_group.facility_meters = e.facility_meters AND datacenter_slot_group.water_meters = e.water_meters
    AND datacenter_slot_group.renewable_meters = e.renewable_meters AND datacenter_slot_group.reused_meters = e.reused_meters
    AND datacenter_slot_group.co2_meters = e.co2_meters AND datacenter_slot_group.below_it = e.below_it;

CREATE TRIGGER datacenter_slot_is_grouped AFTER INSERT ON datacenter_slot
BEGIN
  INSERT INTO datacenter_slot_group VALUES (
    NEW.cluster_seq, NEW.class, NEW.slot / 96, NEW.it_meters, NEW.facility_meters, NEW.water_meters, NEW.renewable_meters,
    NEW.reused_meters, NEW.co2_meters, NEW.facility_mwh < NEW.it_mwh, 1, NEW.it_mwh, NEW.facility_mwh, NEW.water_ml,
    NEW.renewable_mwh, NEW.reused_mwh, NEW.co2_mg, NEW.first_it_mwh, NEW.first_facility_mwh, NEW.late > 0, NEW.corrected > 0,
    NEW.coarse > 0
  ) ON CONFLICT DO UPDATE SET
    slots = slots + 1, it_mwh = it_mwh + excluded.it_mwh, facility_mwh = facility_mwh + excluded.facility_mwh,
    water_ml = water_ml + excluded.water_ml, renewable_mwh = renewable_mwh + excluded.renewable_mwh,
    reused_mwh = reused_mwh + excluded.reused_mwh, co2_mg = co2_mg + excluded.co2_mg,
    first_it_mwh = first_it_mwh + excluded.first_it_mwh, first_facility_mwh = first_facility_mwh + excluded.first_facility_mwh,
    late_slots = late_slots + excluded.late_slots, corrected_slots = corrected_slots + excluded.corrected_slots,
    coarse_slots = coarse_slots + excluded.coarse_slots;
END;
CREATE TRIGGER datacenter_slot_changes_group AFTER UPDATE ON datacenter_slot
BEGIN
  UPDATE datacenter_slot_group SET
    slots = slots - 1, it_mwh = it_mwh - OLD.it_mwh, facility_mwh = facility_mwh - OLD.facility_mwh,
    water_ml = water_ml - OLD.water_ml, renewable_mwh = renewable_mwh - OLD.renewable_mwh,
    reused_mwh = reused_mwh - OLD.reused_mwh, co2_mg = co2_mg - OLD.co2_mg, first_it_mwh = first_it_mwh - OLD.first_it_mwh,
    first_facility_mwh = first_facility_mwh - OLD.first_facility_mwh, late_slots = late_slots - (OLD.late > 0),
    corrected_slots = corrected_slots - (OLD.corrected > 0), coarse_slots = coarse_slots - (OLD.coarse > 0)
  WHERE cluster_seq = OLD.cluster_seq AND class = OLD.class AND day = OLD.slot / 96 AND it_meters = OLD.it_meters
    AND facility_meters = OLD.facility_meters AND water_meters = OLD.water_meters AND renewable_meters = OLD.renewable_meters
    AND reused_meters = OLD.reused_meters AND co2_meters = OLD.co2_meters AND below_it = (OLD.facility_mwh < OLD.it_mwh);
  INSERT INTO datacenter_slot_group VALUES (
    NEW.cluster_seq, NEW.class, NEW.slot / 96, NEW.it_meters, NEW.facility_meters, NEW.water_meters, NEW.renewable_meters,
    NEW.reused_meters, NEW.co2_meters, NEW.facility_mwh < NEW.it_mwh, 1, NEW.it_mwh, NEW.facility_mwh, NEW.water_ml,
    NEW.renewable_mwh, NEW.reused_mwh, NEW.co2_mg, NEW.first_it_mwh, NEW.first_facility_mwh, NEW.late > 0, NEW.corrected > 0,
    NEW.coarse > 0
  ) ON CONFLICT DO UPDATE SET
    slots = slots + 1, it_mwh = it_mwh + excluded.it_mwh, facility_mwh = facility_mwh + excluded.facility_mwh,
    water_ml = water_ml + excluded.water_ml, renewable_mwh = renewable_mwh + excluded.renewable_mwh,
    reused_mwh = reused_mwh + excluded.reused_mwh, co2_mg = co2_mg + excluded.co2_mg,
    first_it_mwh = first_it_mwh + excluded.first_it_mwh, first_facility_mwh = first_facility_mwh + excluded.first_facility_mwh,
    late_slots = late_slots + excluded.late_slots, corrected_slots = corrected_slots + excluded.corrected_slots,
    coarse_slots = coarse_slots + excluded.coarse_slots;
END;
CREATE TRIGGER datacenter_day_only_grows BEFORE UPDATE ON datacenter_day
WHEN NEW.cluster_seq <> OLD.cluster_seq OR NEW.class <> OLD.class OR NEW.day <> OLD.day
  OR (NEW.evidence - OLD.evidence, NEW.corrected - OLD.corrected) NOT IN (VALUES (1, 0), (0, 1))
BEGIN SELECT RAISE(ABORT, 'sums of telemetry only grow'); END;
CREATE TRIGGER datacenter_evidence_is_summed AFTER INSERT ON datacenter_evidence
BEGIN
  INSERT INTO datacenter_instance_class VALUES (NEW.cluster_seq, NEW.class, NEW.instance_seq, NEW.day, NEW.day, 1)
  ON CONFLICT DO UPDATE SET first_day = min(first_day, NEW.day), last_day = max(last_day, NEW.day), evidence = evidence + 1;

  INSERT INTO datacenter_day
  SELECT cluster_seq, class, day, 1, 0, magnitude, window_start, window_end,
    it_rows, category_1_rows, category_2_rows, category_3_rows, power_mwh, power_ms, power_rows, power_mw, rated_power_mwh,
    rated_nameplate_mwh, thermal_ms, thermal_rows, junction_mc, inlet_mc, inlet_mc, inlet_mc_s, inlet_ms, throttled_rows, setpoint_rows,
    setpoint_applied, saved_mwh, avoided_g, avoided_ms, avoided_rows, longest_ms
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
    longest_ms = max(longest_ms, excluded.longest_ms);
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
    avoided_rows = datacenter_day.avoided_rows - c.avoided_rows
  FROM datacenter_contribution c
  WHERE c.receipt_seq = NEW.receipt_seq AND datacenter_day.cluster_seq = NEW.cluster_seq AND datacenter_day.class = NEW.class AND datacenter_day.day = NEW.day;
END;
CREATE TRIGGER datacenter_evidence_is_metered AFTER INSERT ON datacenter_evidence WHEN NEW.counts_energy = 1
BEGIN
  INSERT INTO datacenter_piece_change
  SELECT cluster_seq, class, instance_seq, is_day, place, ms, it_mwh, facility_mwh, water_ml, renewable_mwh, reused_mwh, co2_mg, late,
    corrected, coarse, 1, is_first
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
  SELECT cluster_seq, class, instance_seq, is_day, place, ms, it_mwh, facility_mwh, water_ml, renewable_mwh, reused_mwh, co2_mg, late,
    corrected, coarse, -1, 0
  FROM datacenter_piece WHERE receipt_seq = NEW.receipt_seq;
END;
