import { integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { hexBlob, idBlob, nullableFlag, rawBlob } from '../../src/platform/store/columns.ts';
import { TELEMETRY_CLASSES, TELEMETRY_EVENTS } from './datacenter-enums.ts';

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
});

/**
 * Sums of telemetry by cluster, class and UTC day (days since 1970). The migration says what each of them
 * sums.
 */
export const datacenterDay = sqliteTable(
  'datacenter_day',
  {
    clusterSeq: integer('cluster_seq').notNull(),
    class: text('class', { enum: TELEMETRY_CLASSES }).notNull(),
    day: integer('day').notNull(),
    evidence: integer('evidence').notNull(),
    firstStart: integer('first_start').notNull(),
    lastEnd: integer('last_end').notNull(),
    itMwh: integer('it_mwh').notNull(),
    itMs: integer('it_ms').notNull(),
    itRows: integer('it_rows').notNull(),
    facilityMwh: integer('facility_mwh').notNull(),
    facilityMs: integer('facility_ms').notNull(),
    facilityRows: integer('facility_rows').notNull(),
    waterMl: integer('water_ml').notNull(),
    waterMs: integer('water_ms').notNull(),
    waterRows: integer('water_rows').notNull(),
    renewableMwh: integer('renewable_mwh').notNull(),
    renewableRows: integer('renewable_rows').notNull(),
    reusedMwh: integer('reused_mwh').notNull(),
    reusedRows: integer('reused_rows').notNull(),
    co2Mg: integer('co2_mg').notNull(),
    co2FacilityMwh: integer('co2_facility_mwh').notNull(),
    co2Ms: integer('co2_ms').notNull(),
    co2Rows: integer('co2_rows').notNull(),
    pueFacilityMwh: integer('pue_facility_mwh').notNull(),
    pueItMwh: integer('pue_it_mwh').notNull(),
    pueMs: integer('pue_ms').notNull(),
    pueRows: integer('pue_rows').notNull(),
    cueCo2Mg: integer('cue_co2_mg').notNull(),
    cueItMwh: integer('cue_it_mwh').notNull(),
    cueMs: integer('cue_ms').notNull(),
    cueRows: integer('cue_rows').notNull(),
    wueWaterMl: integer('wue_water_ml').notNull(),
    wueItMwh: integer('wue_it_mwh').notNull(),
    wueMs: integer('wue_ms').notNull(),
    wueRows: integer('wue_rows').notNull(),
    refRenewableMwh: integer('ref_renewable_mwh').notNull(),
    refFacilityMwh: integer('ref_facility_mwh').notNull(),
    refMs: integer('ref_ms').notNull(),
    refRows: integer('ref_rows').notNull(),
    erfReusedMwh: integer('erf_reused_mwh').notNull(),
    erfFacilityMwh: integer('erf_facility_mwh').notNull(),
    erfMs: integer('erf_ms').notNull(),
    erfRows: integer('erf_rows').notNull(),
    powerMwh: integer('power_mwh').notNull(),
    powerMs: integer('power_ms').notNull(),
    powerRows: integer('power_rows').notNull(),
    powerMaxMw: integer('power_max_mw'),
    ratedPowerMwh: integer('rated_power_mwh').notNull(),
    ratedNameplateMwh: integer('rated_nameplate_mwh').notNull(),
    ratedMs: integer('rated_ms').notNull(),
    ratedRows: integer('rated_rows').notNull(),
    thermalMs: integer('thermal_ms').notNull(),
    thermalRows: integer('thermal_rows').notNull(),
    junctionMaxMc: integer('junction_max_mc'),
    junctionRows: integer('junction_rows').notNull(),
    inletMinMc: integer('inlet_min_mc'),
    inletMaxMc: integer('inlet_max_mc'),
    inletMcS: integer('inlet_mc_s').notNull(),
    inletMs: integer('inlet_ms').notNull(),
    inletRows: integer('inlet_rows').notNull(),
    throttledRows: integer('throttled_rows').notNull(),
    setpointRows: integer('setpoint_rows').notNull(),
    setpointApplied: integer('setpoint_applied').notNull(),
    savedMwh: integer('saved_mwh').notNull(),
    avoidedG: integer('avoided_g').notNull(),
    avoidedMs: integer('avoided_ms').notNull(),
    avoidedRows: integer('avoided_rows').notNull(),
  },
  (table) => [primaryKey({ columns: [table.clusterSeq, table.class, table.day] })],
);

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
