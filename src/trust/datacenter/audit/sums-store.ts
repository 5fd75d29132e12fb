import { datacenterCluster, datacenterEvidence } from '../../../../db/trust/datacenter.ts';
import {
  type ComparedRows,
  type Comparison,
  numberingCheck,
  wrongRows,
  wrongValues,
} from '../../../platform/audit/counts.ts';
import { derived } from '../../../platform/audit/derived.ts';
import type { Check } from '../../../platform/audit/table.ts';
import { sqlOf } from '../../../platform/store/sql.ts';

const sql = sqlOf({ datacenterCluster, datacenterEvidence });

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

/** Returns the columns, each with what is wrong if it differs. */
const notThatOf = (telemetry: string, columns: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    columns.map((column) => [column, `${column} is not that of the telemetry of ${telemetry}`]),
  );

/** The sums of each day and class of a cluster. */
const daySums = derived({
  table: 'datacenter_day',
  key: ['cluster_seq', 'class', 'day'],
  columns: notThatOf('the day', Object.keys(AGGREGATES)),
  derives: 'rows',
  query: sql.part`SELECT cluster_seq, class, day, ${sql.verbatim(
    Object.entries(AGGREGATES)
      .map(([column, value]) => `${value} AS ${column}`)
      .join(', '),
  )} FROM datacenter_evidence GROUP BY cluster_seq, class, day`,
});

/** The classes of telemetry of each instance, with their first and last days. */
const instanceClasses = derived({
  table: 'datacenter_instance_class',
  key: ['cluster_seq', 'class', 'instance_seq'],
  columns: notThatOf('the instance', ['first_day', 'last_day', 'evidence']),
  derives: 'rows',
  query: sql.part`SELECT cluster_seq, class, instance_seq, min(day) AS first_day, max(day) AS last_day,
      count(*) AS evidence
    FROM datacenter_evidence GROUP BY cluster_seq, class, instance_seq`,
});

/** How many instances began and ended on each day. A count can become 0, and its day stays. */
const instanceDays = derived({
  table: 'datacenter_instance_day',
  key: ['cluster_seq', 'class', 'day'],
  columns: {
    firsts: 'firsts is not the number of its instances',
    lasts: 'lasts is not the number of its instances',
  },
  derives: 'rows',
  mayBeZero: true,
  query: sql.part`SELECT cluster_seq, class, day, sum(firsts) AS firsts, sum(lasts) AS lasts FROM (
      SELECT cluster_seq, class, first_day AS day, 1 AS firsts, 0 AS lasts FROM datacenter_instance_class
      UNION ALL SELECT cluster_seq, class, last_day, 0, 1 FROM datacenter_instance_class
    ) AS bound GROUP BY cluster_seq, class, day`,
});

/** The first item of each cluster, with its receipt: SQLite takes all columns from the row of min(). */
const firstOf = (key: string) => sql.part`
  first AS MATERIALIZED (
    SELECT ${sql.verbatim(key)}, cluster_seq AS first_cluster_seq, min(receipt_seq) AS receipt_seq, ingested_at
    FROM datacenter_evidence GROUP BY ${sql.verbatim(key)}
  )`;

/** Clusters that are not those of their first item. */
const otherClusters = wrongNamed(
  'datacenter_cluster',
  'cluster_seq',
  {
    with: firstOf('cluster_seq'),
    from: sql.part`datacenter_cluster c LEFT JOIN first f ON f.cluster_seq = c.cluster_seq
      LEFT JOIN receipt r ON r.receipt_seq = f.receipt_seq`,
  },
  'c',
  [
    {
      what: 'cluster_id is not that of its telemetry',
      expected: sql.part`'datacenter:' || c.cluster_id`,
      found: sql.part`r.authority_scope`,
    },
    {
      what: 'operator_seq is not that of its telemetry',
      expected: sql.part`r.operator_seq`,
      found: sql.part`c.operator_seq`,
    },
    {
      what: 'created_at is not the time of its first telemetry',
      expected: sql.part`f.ingested_at`,
      found: sql.part`c.created_at`,
    },
  ],
);

/** Instances that are not those of their first item. */
const otherInstances = wrongNamed(
  'datacenter_instance',
  'instance_seq',
  {
    with: firstOf('instance_seq'),
    from: sql.part`datacenter_instance i LEFT JOIN first f ON f.instance_seq = i.instance_seq
      LEFT JOIN receipt r ON r.receipt_seq = f.receipt_seq`,
  },
  'i',
  [
    {
      what: 'instance_id is not that of its telemetry',
      expected: sql.part`i.instance_id`,
      found: sql.part`r.agent_id`,
    },
    {
      what: 'cluster_seq is not that of its telemetry',
      expected: sql.part`f.first_cluster_seq`,
      found: sql.part`i.cluster_seq`,
    },
  ],
);

/**
 * Does what `wrongValues` does for a table whose key several joined tables have.
 * @param alias the name of the table among them
 */
function wrongNamed(
  table: string,
  key: string,
  { with: common = sql.verbatim(''), from }: ComparedRows,
  alias: string,
  comparisons: readonly Comparison[],
): Check {
  const columns = comparisons.map(({ expected, found }, at) => {
    const [left, right] = [sql.verbatim(`e${at}`), sql.verbatim(`f${at}`)];
    return sql.part`${expected} AS ${left}, ${found} AS ${right}`;
  });
  const keyOf = sql.verbatim(`${alias}.${key} AS ${key}`);
  const rows = sql.part`${common}, compared AS (SELECT ${keyOf}, ${sql.join(columns, ', ')} FROM ${from})`;
  return wrongValues(
    table,
    [key],
    { with: rows, from: sql.part`compared` },
    comparisons.map(({ what }, at) => ({
      what,
      expected: sql.verbatim(`e${at}`),
      found: sql.verbatim(`f${at}`),
    })),
  );
}

const missingRows = 'rows before it are missing: the number of rows is not its number';

/**
 * Receipts of the service for telemetry that no item has: either an item is missing, or the receipt is wrong.
 */
const unfoundedReceipts = wrongRows(
  'service_receipt',
  'it is the receipt of no item of telemetry',
  sql.reported()`SELECT s.receipt_seq, 1 AS expected, NULL AS found
    FROM service_receipt s JOIN receipt r ON r.receipt_seq = s.receipt_seq
    WHERE substr(r.authority_scope, 1, 11) = 'datacenter:'
      AND NOT EXISTS (SELECT 1 FROM datacenter_evidence d WHERE d.receipt_seq = s.receipt_seq)
    LIMIT 100`,
);

/** The rules for rows that must not overlap: rows of one event type, and counting rows of one class. */
const DISJOINT = [
  ['windows of one instance and event type overlap', 'event_type', 'TRUE'],
  ['the energy of an instance counts twice', 'class', ENERGY],
  ['the temperatures of an instance count twice', 'class', THERMAL],
] as const;

/** Items whose window begins before the end of the window before it. */
const overlaps = DISJOINT.map(([what, column, condition]) =>
  wrongRows(
    'datacenter_evidence',
    what,
    sql.reported()`SELECT * FROM (
        SELECT receipt_seq, lag(window_end) OVER (
            PARTITION BY instance_seq, ${sql.verbatim(column)} ORDER BY window_end, window_start
          ) AS expected, window_start AS found
        FROM datacenter_evidence WHERE ${sql.verbatim(condition)}
      ) AS following WHERE found < expected LIMIT 100`,
  ),
);

/** What is checked of clusters, instances and days. */
export const clusterChecks = [
  numberingCheck('datacenter_cluster', 'cluster_seq', missingRows),
  numberingCheck('datacenter_instance', 'instance_seq', missingRows),
  unfoundedReceipts,
  otherClusters,
  otherInstances,
];
export const dayChecks = [daySums, ...overlaps];
export const classChecks = [instanceClasses];
export const instanceDayChecks = [instanceDays];
