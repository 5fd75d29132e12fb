import { type Count, wrongCounts, wrongRows } from '../../../platform/audit/counts.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import type { Problem } from '../../../proof/log/problem.ts';

const MS = 'window_end - window_start';
const ENERGY = 'counts_energy = 1';
const THERMAL = 'counts_thermal = 1';
const AVOIDED = "event_type = 'CARBON_AVOIDED_ACCRUAL'";

const present = (...columns: string[]): string => columns.map((name) => `${name} IS NOT NULL`).join(' AND ');

/** The sums of a metric, over the rows that meet a condition. */
interface MetricSums {
  when: string;
  /** What each column sums. */
  sums: Readonly<Record<string, string>>;
}

const metric = (when: string, sums: Record<string, string>): MetricSums => ({ when, sums });
const counted = (prefix: string, columns: string[], sums: Record<string, string>): MetricSums =>
  metric(`${ENERGY} AND ${present(...columns)}`, {
    ...sums,
    [`${prefix}_ms`]: MS,
    [`${prefix}_rows`]: '1',
  });

const METRICS: readonly MetricSums[] = [
  counted('it', ['it_mwh'], { it_mwh: 'it_mwh' }),
  counted('facility', ['facility_mwh'], { facility_mwh: 'facility_mwh' }),
  counted('water', ['water_ml'], { water_ml: 'water_ml' }),
  metric(`${ENERGY} AND ${present('renewable_mwh')}`, {
    renewable_mwh: 'renewable_mwh',
    renewable_rows: '1',
  }),
  metric(`${ENERGY} AND ${present('reused_mwh')}`, { reused_mwh: 'reused_mwh', reused_rows: '1' }),
  counted('co2', ['facility_mwh', 'carbon_mg_per_kwh'], {
    co2_mg: 'co2_mg',
    co2_facility_mwh: 'facility_mwh',
  }),
  counted('pue', ['facility_mwh', 'it_mwh'], { pue_facility_mwh: 'facility_mwh', pue_it_mwh: 'it_mwh' }),
  counted('cue', ['facility_mwh', 'carbon_mg_per_kwh', 'it_mwh'], {
    cue_co2_mg: 'co2_mg',
    cue_it_mwh: 'it_mwh',
  }),
  counted('wue', ['water_ml', 'it_mwh'], { wue_water_ml: 'water_ml', wue_it_mwh: 'it_mwh' }),
  counted('ref', ['renewable_mwh', 'facility_mwh'], {
    ref_renewable_mwh: 'renewable_mwh',
    ref_facility_mwh: 'facility_mwh',
  }),
  counted('erf', ['reused_mwh', 'facility_mwh'], {
    erf_reused_mwh: 'reused_mwh',
    erf_facility_mwh: 'facility_mwh',
  }),
  counted('power', ['power_mw'], { power_mwh: 'power_mwh' }),
  counted('rated', ['power_mw', 'nameplate_mw'], {
    rated_power_mwh: 'power_mwh',
    rated_nameplate_mwh: 'nameplate_mwh',
  }),
  metric(THERMAL, { thermal_ms: MS, thermal_rows: '1' }),
  metric(present('junction_mc'), { junction_rows: '1' }),
  metric(`${THERMAL} AND ${present('inlet_mc')}`, {
    inlet_mc_s: `inlet_mc * (${MS}) / 1000`,
    inlet_ms: MS,
    inlet_rows: '1',
  }),
  metric('throttled = 1', { throttled_rows: '1' }),
  metric(present('setpoint_applied'), { setpoint_rows: '1' }),
  metric('setpoint_applied = 1', { setpoint_applied: '1' }),
  metric(`${AVOIDED} AND ${present('saved_mwh')}`, { saved_mwh: 'saved_mwh' }),
  metric(`${AVOIDED} AND ${present('avoided_g')}`, { avoided_g: 'avoided_g' }),
  metric(AVOIDED, { avoided_ms: MS, avoided_rows: '1' }),
];

/** What each column of a day is, as an aggregate over its items. */
const AGGREGATES: Readonly<Record<string, string>> = {
  evidence: 'count(*)',
  first_start: 'min(window_start)',
  last_end: 'max(window_end)',
  power_max_mw: `max(power_mw) FILTER (WHERE ${ENERGY})`,
  junction_max_mc: 'max(junction_mc)',
  inlet_min_mc: 'min(inlet_mc)',
  inlet_max_mc: 'max(inlet_mc)',
  ...Object.fromEntries(
    METRICS.flatMap(({ when, sums }) =>
      Object.entries(sums).map(([column, value]) => [
        column,
        `coalesce(sum(${value}) FILTER (WHERE ${when}), 0)`,
      ]),
    ),
  ),
};

const MADE = `made AS MATERIALIZED (
  SELECT cluster_seq, class, day, ${Object.entries(AGGREGATES)
    .map(([column, value]) => `${value} AS ${column}`)
    .join(', ')}
  FROM datacenter_evidence GROUP BY cluster_seq, class, day)`;

const SUMS: readonly Count[] = Object.keys(AGGREGATES).map((column) => ({
  what: `${column} is not that of the telemetry of the day`,
  expected: `m.${column}`,
  found: `d.${column}`,
}));

/** Returns the wrong sums of up to 100 days, and days without telemetry or without sums. */
export function wrongSums(snapshot: Snapshot): Promise<Problem[]> {
  const from = 'made m FULL JOIN datacenter_day d USING (cluster_seq, class, day)';
  return wrongCounts(
    snapshot,
    'datacenter_day',
    ['cluster_seq', 'class', 'day'],
    { common: MADE, from },
    SUMS,
  );
}

const CLASSES = `made AS MATERIALIZED (
  SELECT cluster_seq, class, instance_seq, min(day) AS first_day, max(day) AS last_day, count(*) AS evidence
  FROM datacenter_evidence GROUP BY cluster_seq, class, instance_seq)`;

/** Returns up to 100 instances whose classes, days or counts are not those of their telemetry. */
export function wrongClasses(snapshot: Snapshot): Promise<Problem[]> {
  const from = 'made m FULL JOIN datacenter_instance_class d USING (cluster_seq, class, instance_seq)';
  const keys = ['cluster_seq', 'class', 'instance_seq'];
  const counts = ['first_day', 'last_day', 'evidence'].map((column) => ({
    what: `${column} is not that of the telemetry of the instance`,
    expected: `m.${column}`,
    found: `d.${column}`,
  }));
  return wrongCounts(snapshot, 'datacenter_instance_class', keys, { common: CLASSES, from }, counts);
}

const INSTANCE_DAYS = `made AS MATERIALIZED (
  SELECT cluster_seq, class, day, sum(firsts) AS firsts, sum(lasts) AS lasts FROM (
    SELECT cluster_seq, class, first_day AS day, 1 AS firsts, 0 AS lasts FROM datacenter_instance_class
    UNION ALL SELECT cluster_seq, class, last_day, 0, 1 FROM datacenter_instance_class
  ) GROUP BY cluster_seq, class, day)`;

/** Returns up to 100 days whose counts of instances are wrong. A count can become 0, and its day stays. */
export function wrongInstanceDays(snapshot: Snapshot): Promise<Problem[]> {
  const from = 'made m FULL JOIN datacenter_instance_day d USING (cluster_seq, class, day)';
  const counts = ['firsts', 'lasts'].map((column) => ({
    what: `${column} is not the number of its instances`,
    expected: `coalesce(m.${column}, 0)`,
    found: `d.${column}`,
  }));
  const keys = ['cluster_seq', 'class', 'day'];
  return wrongCounts(snapshot, 'datacenter_instance_day', keys, { common: INSTANCE_DAYS, from }, counts);
}

/** The first item of each cluster, with its receipt: SQLite takes all columns from the row of min(). */
const FIRST = (key: string): string => `
  first AS MATERIALIZED (SELECT ${key}, cluster_seq AS first_cluster_seq, min(receipt_seq) AS receipt_seq, ingested_at
    FROM datacenter_evidence GROUP BY ${key})`;

/** Returns up to 100 clusters that are not those of their first item. */
export function wrongClusters(snapshot: Snapshot): Promise<Problem[]> {
  const from = `datacenter_cluster c LEFT JOIN first f ON f.cluster_seq = c.cluster_seq
    LEFT JOIN receipt r ON r.receipt_seq = f.receipt_seq`;
  const counts = [
    {
      what: 'cluster_id is not that of its telemetry',
      expected: "'datacenter:' || c.cluster_id",
      found: 'r.authority_scope',
    },
    {
      what: 'operator_seq is not that of its telemetry',
      expected: 'r.operator_seq',
      found: 'c.operator_seq',
    },
    {
      what: 'created_at is not the time of its first telemetry',
      expected: 'f.ingested_at',
      found: 'c.created_at',
    },
  ];
  const keyColumn = 'c.cluster_seq AS cluster_seq';
  return wrongNamed(
    snapshot,
    'datacenter_cluster',
    { common: FIRST('cluster_seq'), from, keyColumn },
    counts,
  );
}

/** Returns up to 100 instances that are not those of their first item. */
export function wrongInstances(snapshot: Snapshot): Promise<Problem[]> {
  const from = `datacenter_instance i LEFT JOIN first f ON f.instance_seq = i.instance_seq
    LEFT JOIN receipt r ON r.receipt_seq = f.receipt_seq`;
  const counts = [
    { what: 'instance_id is not that of its telemetry', expected: 'i.instance_id', found: 'r.agent_id' },
    {
      what: 'cluster_seq is not that of its telemetry',
      expected: 'f.first_cluster_seq',
      found: 'i.cluster_seq',
    },
  ];
  const keyColumn = 'i.instance_seq AS instance_seq';
  return wrongNamed(
    snapshot,
    'datacenter_instance',
    { common: FIRST('instance_seq'), from, keyColumn },
    counts,
  );
}

/**
 * Does what `wrongCounts` does for a table whose key several joined tables have.
 * @param keyColumn the key with its table
 */
function wrongNamed(
  snapshot: Snapshot,
  table: string,
  { common, from, keyColumn }: { common: string; from: string; keyColumn: string },
  counts: readonly Count[],
): Promise<Problem[]> {
  const key = keyColumn.slice(keyColumn.lastIndexOf(' ') + 1);
  const columns = counts.map(({ expected, found }, at) => `${expected} AS e${at}, ${found} AS f${at}`);
  const rows = `${common}, compared AS (SELECT ${keyColumn}, ${columns.join(', ')} FROM ${from})`;
  const compared = counts.map(({ what }, at) => ({ what, expected: `e${at}`, found: `f${at}` }));
  return wrongCounts(snapshot, table, [key], { common: rows, from: 'compared' }, compared);
}

/** Rows are numbered from 1 and never deleted. */
const gapsIn = (table: string, key: string): string =>
  `SELECT max(${key}) AS ${key}, max(${key}) AS expected, count(*) AS found FROM ${table} HAVING expected <> found`;

/** Returns a problem for each table of clusters and instances that misses rows. */
export async function missingRows(snapshot: Snapshot): Promise<Problem[]> {
  const what = 'rows before it are missing: the number of rows is not its number';
  return [
    ...(await wrongRows(snapshot, 'datacenter_cluster', what, gapsIn('datacenter_cluster', 'cluster_seq'))),
    ...(await wrongRows(
      snapshot,
      'datacenter_instance',
      what,
      gapsIn('datacenter_instance', 'instance_seq'),
    )),
    ...(await wrongRows(snapshot, 'service_receipt', 'it is the receipt of no item of telemetry', UNFOUNDED)),
  ];
}

/**
 * Receipts of the service for telemetry that no item has: either an item is missing, or the receipt is wrong.
 */
const UNFOUNDED = `
  SELECT s.receipt_seq, 1 AS expected, NULL AS found
  FROM service_receipt s JOIN receipt r ON r.receipt_seq = s.receipt_seq
  WHERE r.authority_scope GLOB 'datacenter:*'
    AND NOT EXISTS (SELECT 1 FROM datacenter_evidence d WHERE d.receipt_seq = s.receipt_seq)
  LIMIT 100`;

/** The rules for rows that must not overlap: rows of one event type, and counting rows of one class. */
const DISJOINT = [
  ['windows of one instance and event type overlap', 'event_type', 'TRUE'],
  ['the energy of an instance counts twice', 'class', ENERGY],
  ['the temperatures of an instance count twice', 'class', THERMAL],
] as const;

/** Returns up to 100 items for each rule whose window begins before the end of the window before it. */
export async function wrongOverlaps(snapshot: Snapshot): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const [what, column, condition] of DISJOINT) {
    const rows = `
      SELECT * FROM (
        SELECT receipt_seq, lag(window_end) OVER (PARTITION BY instance_seq, ${column} ORDER BY window_end, window_start) AS expected,
          window_start AS found
        FROM datacenter_evidence WHERE ${condition}
      ) WHERE found < expected LIMIT 100`;
    problems.push(...(await wrongRows(snapshot, 'datacenter_evidence', what, rows)));
  }
  return problems;
}
