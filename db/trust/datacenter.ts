import { integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { hexBlob, idBlob, nullableFlag, rawBlob } from '../../src/platform/store/columns.ts';
import { METER_ROLES, METERED_QUANTITIES, TELEMETRY_CLASSES, TELEMETRY_EVENTS } from './datacenter-enums.ts';

/** Clusters and the operators that own them. Times are milliseconds since 1970. */
export const datacenterCluster = sqliteTable('datacenter_cluster', {
  clusterSeq: integer('cluster_seq').primaryKey(),
  clusterId: text('cluster_id').notNull(),
  operatorSeq: integer('operator_seq').notNull(),
  createdAt: integer('created_at').notNull(),
});

export const datacenterInstance = sqliteTable('datacenter_instance', {
  instanceSeq: integer('instance_seq').primaryKey(),
  clusterSeq: integer('cluster_seq').notNull(),
  instanceId: text('instance_id').notNull(),
});

/** The classes in which an instance sent telemetry. Days are days since 1970. */
export const datacenterInstanceClass = sqliteTable(
  'datacenter_instance_class',
  {
    clusterSeq: integer('cluster_seq').notNull(),
    class: text('class', { enum: TELEMETRY_CLASSES }).notNull(),
    instanceSeq: integer('instance_seq').notNull(),
    firstDay: integer('first_day').notNull(),
    lastDay: integer('last_day').notNull(),
    evidence: integer('evidence').notNull(),
  },
  (table) => [primaryKey({ columns: [table.clusterSeq, table.class, table.instanceSeq] })],
);

/** How many instances sent their first and their last telemetry of a class on a day (days since 1970). */
export const datacenterInstanceDay = sqliteTable(
  'datacenter_instance_day',
  {
    clusterSeq: integer('cluster_seq').notNull(),
    class: text('class', { enum: TELEMETRY_CLASSES }).notNull(),
    day: integer('day').notNull(),
    firsts: integer('firsts').notNull(),
    lasts: integer('lasts').notNull(),
  },
  (table) => [primaryKey({ columns: [table.clusterSeq, table.class, table.day] })],
);

/**
 * Telemetry, by the receipt that the service issued for it. The migration says which units the values have.
 */
export const datacenterEvidence = sqliteTable('datacenter_evidence', {
  receiptSeq: integer('receipt_seq').primaryKey(),
  evidenceId: idBlob('dce_')('evidence_id').notNull(),
  clusterSeq: integer('cluster_seq').notNull(),
  instanceSeq: integer('instance_seq').notNull(),
  eventType: text('event_type', { enum: TELEMETRY_EVENTS }).notNull(),
  class: text('class', { enum: TELEMETRY_CLASSES }).notNull(),
  windowStart: integer('window_start').notNull(),
  windowEnd: integer('window_end').notNull(),
  day: integer('day').notNull(),
  countsEnergy: integer('counts_energy', { mode: 'boolean' }).notNull(),
  countsThermal: integer('counts_thermal', { mode: 'boolean' }).notNull(),
  itMwh: integer('it_mwh'),
  facilityMwh: integer('facility_mwh'),
  waterMl: integer('water_ml'),
  renewableMwh: integer('renewable_mwh'),
  reusedMwh: integer('reused_mwh'),
  powerMw: integer('power_mw'),
  nameplateMw: integer('nameplate_mw'),
  deltaPower: integer('delta_power'),
  junctionMc: integer('junction_mc'),
  inletMc: integer('inlet_mc'),
  setpointApplied: nullableFlag('setpoint_applied'),
  throttled: nullableFlag('throttled'),
  carbonMgPerKwh: integer('carbon_mg_per_kwh'),
  savedMwh: integer('saved_mwh'),
  avoidedG: integer('avoided_g'),
  powerMwh: integer('power_mwh'),
  nameplateMwh: integer('nameplate_mwh'),
  co2Mg: integer('co2_mg'),
  agentSeq: integer('agent_seq'),
  payloadDigest: hexBlob('payload_digest').notNull(),
  ingestedAt: integer('ingested_at').notNull(),
  payload: rawBlob('payload').notNull(),
  meterRole: text('meter_role', { enum: METER_ROLES }),
  pueCategory: integer('pue_category'),
  corrects: integer('corrects'),
  supersededBy: integer('superseded_by'),
  attesterSeq: integer('attester_seq'),
});

/**
 * What is summed by item, by cluster, class and UTC day (days since 1970). The migration says what it is.
 */
export const datacenterDay = sqliteTable(
  'datacenter_day',
  {
    clusterSeq: integer('cluster_seq').notNull(),
    class: text('class', { enum: TELEMETRY_CLASSES }).notNull(),
    day: integer('day').notNull(),
    evidence: integer('evidence').notNull(),
    corrected: integer('corrected').notNull(),
    magnitude: integer('magnitude').notNull(),
    firstStart: integer('first_start').notNull(),
    lastEnd: integer('last_end').notNull(),
    itRows: integer('it_rows').notNull(),
    category1Rows: integer('category_1_rows').notNull(),
    category2Rows: integer('category_2_rows').notNull(),
    category3Rows: integer('category_3_rows').notNull(),
    powerMwh: integer('power_mwh').notNull(),
    powerMs: integer('power_ms').notNull(),
    powerRows: integer('power_rows').notNull(),
    powerMaxMw: integer('power_max_mw'),
    ratedPowerMwh: integer('rated_power_mwh').notNull(),
    ratedNameplateMwh: integer('rated_nameplate_mwh').notNull(),
    thermalMs: integer('thermal_ms').notNull(),
    thermalRows: integer('thermal_rows').notNull(),
    junctionMaxMc: integer('junction_max_mc'),
    inletMinMc: integer('inlet_min_mc'),
    inletMaxMc: integer('inlet_max_mc'),
    inletMcS: integer('inlet_mc_s').notNull(),
    inletMs: integer('inlet_ms').notNull(),
    throttledRows: integer('throttled_rows').notNull(),
    setpointRows: integer('setpoint_rows').notNull(),
    setpointApplied: integer('setpoint_applied').notNull(),
    savedMwh: integer('saved_mwh').notNull(),
    avoidedG: integer('avoided_g').notNull(),
    avoidedMs: integer('avoided_ms').notNull(),
    avoidedRows: integer('avoided_rows').notNull(),
    longestMs: integer('longest_ms').notNull(),
  },
  (table) => [primaryKey({ columns: [table.clusterSeq, table.class, table.day] })],
);

/**
 * What covers whole UTC days: for each quantity its meters and its sum, the energy that was sent first, and
 * the values that are late, of a correction, or of a window longer than an hour.
 */
export const datacenterWholeDay = sqliteTable(
  'datacenter_whole_day',
  {
    clusterSeq: integer('cluster_seq').notNull(),
    class: text('class', { enum: TELEMETRY_CLASSES }).notNull(),
    day: integer('day').notNull(),
    itMeters: integer('it_meters').notNull(),
    facilityMeters: integer('facility_meters').notNull(),
    waterMeters: integer('water_meters').notNull(),
    renewableMeters: integer('renewable_meters').notNull(),
    reusedMeters: integer('reused_meters').notNull(),
    co2Meters: integer('co2_meters').notNull(),
    itMwh: integer('it_mwh').notNull(),
    facilityMwh: integer('facility_mwh').notNull(),
    waterMl: integer('water_ml').notNull(),
    renewableMwh: integer('renewable_mwh').notNull(),
    reusedMwh: integer('reused_mwh').notNull(),
    co2Mg: integer('co2_mg').notNull(),
    firstItMwh: integer('first_it_mwh').notNull(),
    firstFacilityMwh: integer('first_facility_mwh').notNull(),
    late: integer('late').notNull(),
    corrected: integer('corrected').notNull(),
    coarse: integer('coarse').notNull(),
  },
  (table) => [primaryKey({ columns: [table.clusterSeq, table.class, table.day] })],
);

/** The same for slots of 15 minutes, numbered from 1970, without what covers whole days. */
export const datacenterSlot = sqliteTable(
  'datacenter_slot',
  {
    clusterSeq: integer('cluster_seq').notNull(),
    class: text('class', { enum: TELEMETRY_CLASSES }).notNull(),
    slot: integer('slot').notNull(),
    itMeters: integer('it_meters').notNull(),
    facilityMeters: integer('facility_meters').notNull(),
    waterMeters: integer('water_meters').notNull(),
    renewableMeters: integer('renewable_meters').notNull(),
    reusedMeters: integer('reused_meters').notNull(),
    co2Meters: integer('co2_meters').notNull(),
    itMwh: integer('it_mwh').notNull(),
    facilityMwh: integer('facility_mwh').notNull(),
    waterMl: integer('water_ml').notNull(),
    renewableMwh: integer('renewable_mwh').notNull(),
    reusedMwh: integer('reused_mwh').notNull(),
    co2Mg: integer('co2_mg').notNull(),
    firstItMwh: integer('first_it_mwh').notNull(),
    firstFacilityMwh: integer('first_facility_mwh').notNull(),
    late: integer('late').notNull(),
    corrected: integer('corrected').notNull(),
    coarse: integer('coarse').notNull(),
  },
  (table) => [primaryKey({ columns: [table.clusterSeq, table.class, table.slot] })],
);

/** The slots of a day by the meters that cover them. */
export const datacenterSlotGroup = sqliteTable(
  'datacenter_slot_group',
  {
    clusterSeq: integer('cluster_seq').notNull(),
    class: text('class', { enum: TELEMETRY_CLASSES }).notNull(),
    day: integer('day').notNull(),
    itMeters: integer('it_meters').notNull(),
    facilityMeters: integer('facility_meters').notNull(),
    waterMeters: integer('water_meters').notNull(),
    renewableMeters: integer('renewable_meters').notNull(),
    reusedMeters: integer('reused_meters').notNull(),
    co2Meters: integer('co2_meters').notNull(),
    belowIt: integer('below_it').notNull(),
    slots: integer('slots').notNull(),
    itMwh: integer('it_mwh').notNull(),
    facilityMwh: integer('facility_mwh').notNull(),
    waterMl: integer('water_ml').notNull(),
    renewableMwh: integer('renewable_mwh').notNull(),
    reusedMwh: integer('reused_mwh').notNull(),
    co2Mg: integer('co2_mg').notNull(),
    firstItMwh: integer('first_it_mwh').notNull(),
    firstFacilityMwh: integer('first_facility_mwh').notNull(),
    lateSlots: integer('late_slots').notNull(),
    correctedSlots: integer('corrected_slots').notNull(),
    coarseSlots: integer('coarse_slots').notNull(),
  },
  (table) => [
    primaryKey({
      columns: [
        table.clusterSeq,
        table.class,
        table.day,
        table.itMeters,
        table.facilityMeters,
        table.waterMeters,
        table.renewableMeters,
        table.reusedMeters,
        table.co2Meters,
        table.belowIt,
      ],
    }),
  ],
);

/** The milliseconds of a slot that a meter covers by windows that do not cover all of it. */
export const datacenterSlotPart = sqliteTable(
  'datacenter_slot_part',
  {
    clusterSeq: integer('cluster_seq').notNull(),
    class: text('class', { enum: TELEMETRY_CLASSES }).notNull(),
    slot: integer('slot').notNull(),
    instanceSeq: integer('instance_seq').notNull(),
    itMs: integer('it_ms').notNull(),
    facilityMs: integer('facility_ms').notNull(),
    waterMs: integer('water_ms').notNull(),
    renewableMs: integer('renewable_ms').notNull(),
    reusedMs: integer('reused_ms').notNull(),
    co2Ms: integer('co2_ms').notNull(),
  },
  (table) => [primaryKey({ columns: [table.clusterSeq, table.class, table.slot, table.instanceSeq] })],
);

/** The slots in which a quantity is expected of a meter; the end is exclusive. */
export const datacenterRegister = sqliteTable(
  'datacenter_register',
  {
    instanceSeq: integer('instance_seq').notNull(),
    class: text('class', { enum: TELEMETRY_CLASSES }).notNull(),
    quantity: text('quantity', { enum: METERED_QUANTITIES }).notNull(),
    clusterSeq: integer('cluster_seq').notNull(),
    fromSlot: integer('from_slot').notNull(),
    untilSlot: integer('until_slot'),
  },
  (table) => [primaryKey({ columns: [table.instanceSeq, table.class, table.quantity] })],
);

/** Whole numbers from 0, for the pieces of a window. */
export const datacenterNumber = sqliteTable('datacenter_number', { n: integer('n').primaryKey() });

/** How the number of meters that are expected changes with a slot. */
export const datacenterRegisterStep = sqliteTable(
  'datacenter_register_step',
  {
    clusterSeq: integer('cluster_seq').notNull(),
    class: text('class', { enum: TELEMETRY_CLASSES }).notNull(),
    slot: integer('slot').notNull(),
    quantity: text('quantity', { enum: METERED_QUANTITIES }).notNull(),
    change: integer('change').notNull(),
  },
  (table) => [primaryKey({ columns: [table.clusterSeq, table.class, table.slot, table.quantity] })],
);

/** When meters were enrolled and attested, as the receipts of items. */
export const datacenterMeter = sqliteTable(
  'datacenter_meter',
  {
    clusterSeq: integer('cluster_seq').notNull(),
    class: text('class', { enum: TELEMETRY_CLASSES }).notNull(),
    instanceSeq: integer('instance_seq').notNull(),
    enrolledSeq: integer('enrolled_seq').notNull(),
    attestedSeq: integer('attested_seq'),
  },
  (table) => [primaryKey({ columns: [table.clusterSeq, table.class, table.instanceSeq] })],
);

/** Meters that were retired, with the receipt for it. */
export const datacenterRetirement = sqliteTable('datacenter_retirement', {
  instanceSeq: integer('instance_seq').primaryKey(),
  clusterSeq: integer('cluster_seq').notNull(),
  receiptSeq: integer('receipt_seq').notNull(),
  retiredAt: integer('retired_at').notNull(),
});

/** The newest readings of instruments that send OTLP. Times are milliseconds since 1970. */
export const datacenterReading = sqliteTable(
  'datacenter_reading',
  {
    operatorSeq: integer('operator_seq').notNull(),
    source: hexBlob('source').notNull(),
    series: hexBlob('series').notNull(),
    time: integer('time').notNull(),
    value: real('value'),
  },
  (table) => [primaryKey({ columns: [table.operatorSeq, table.source, table.series] })],
);
