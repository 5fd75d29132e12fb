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

const ENERGY = 'counts_energy = 1';
const THERMAL = 'counts_thermal = 1';

const METERS = ['it', 'facility', 'water', 'renewable', 'reused', 'co2'].map((name) => `${name}_meters`);
const SUMS = [
  'it_mwh',
  'facility_mwh',
  'water_ml',
  'renewable_mwh',
  'reused_mwh',
  'co2_mg',
  'first_it_mwh',
  'first_facility_mwh',
];
const MARKS = ['late', 'corrected', 'coarse'];

const DAY = [
  'evidence',
  'corrected',
  'magnitude',
  'first_start',
  'last_end',
  'it_rows',
  'category_1_rows',
  'category_2_rows',
  'category_3_rows',
  'power_mwh',
  'power_ms',
  'power_rows',
  'power_max_mw',
  'rated_power_mwh',
  'rated_nameplate_mwh',
  'thermal_ms',
  'thermal_rows',
  'junction_max_mc',
  'inlet_min_mc',
  'inlet_max_mc',
  'inlet_mc_s',
  'inlet_ms',
  'throttled_rows',
  'setpoint_rows',
  'setpoint_applied',
  'saved_mwh',
  'avoided_g',
  'avoided_ms',
  'avoided_rows',
  'longest_ms',
];

/** Returns the columns, each with what is wrong if it differs. */
const notThatOf = (telemetry: string, columns: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    columns.map((column) => [column, `${column} is not that of the telemetry of ${telemetry}`]),
  );

/** Declares a table that must equal a view of the migration, which has its name with `_expected`. */
const derivedBy = (
  table: string,
  key: readonly string[],
  columns: Readonly<Record<string, string>>,
  options: { mayBeZero?: true } = {},
) =>
  derived({
    table,
    key,
    columns,
    derives: 'rows',
    ...options,
    query: sql.part`SELECT * FROM ${sql.verbatim(`${table}_expected`)}`,
  });

/** The sums of each day and class of a cluster. */
const daySums = derivedBy('datacenter_day', ['cluster_seq', 'class', 'day'], notThatOf('the day', DAY));

/** What covers whole days, and slots. A correction can leave a row of zeros. */
const wholeDays = derivedBy(
  'datacenter_whole_day',
  ['cluster_seq', 'class', 'day'],
  notThatOf('the day', [...METERS, ...SUMS, ...MARKS]),
  { mayBeZero: true },
);
const slotParts = derivedBy(
  'datacenter_slot_part',
  ['cluster_seq', 'class', 'slot', 'instance_seq'],
  notThatOf('the slot', ['it_ms', 'facility_ms', 'water_ms', 'renewable_ms', 'reused_ms', 'co2_ms']),
  { mayBeZero: true },
);
const slots = derivedBy(
  'datacenter_slot',
  ['cluster_seq', 'class', 'slot'],
  notThatOf('the slot', [...METERS, ...SUMS, ...MARKS]),
  { mayBeZero: true },
);
const slotGroups = derivedBy(
  'datacenter_slot_group',
  ['cluster_seq', 'class', 'day', ...METERS, 'below_it'],
  Object.fromEntries(
    ['slots', ...SUMS, ...MARKS.map((mark) => `${mark}_slots`)].map((name) => [
      name,
      `${name} is not that of its slots`,
    ]),
  ),
);

/** What is expected of meters, and since when. */
const registers = derivedBy(
  'datacenter_register',
  ['instance_seq', 'class', 'quantity'],
  notThatOf('the meter', ['cluster_seq', 'from_slot', 'until_slot']),
);
const registerSteps = derivedBy('datacenter_register_step', ['cluster_seq', 'class', 'slot', 'quantity'], {
  change: 'change is not that of its meters',
});
const meters = derivedBy(
  'datacenter_meter',
  ['cluster_seq', 'class', 'instance_seq'],
  notThatOf('the meter', ['enrolled_seq', 'attested_seq']),
);

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
      AND NOT EXISTS (SELECT 1 FROM datacenter_retirement d WHERE d.receipt_seq = s.receipt_seq)
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
        FROM datacenter_evidence WHERE superseded_by IS NULL AND ${sql.verbatim(condition)}
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
/** What is checked of each table of slots and meters, in the order in which one follows from another. */
export const energyChecks = {
  datacenter_whole_day: wholeDays,
  datacenter_slot_part: slotParts,
  datacenter_slot: slots,
  datacenter_slot_group: slotGroups,
  datacenter_register: registers,
  datacenter_register_step: registerSteps,
  datacenter_meter: meters,
};
export const classChecks = [instanceClasses];
export const instanceDayChecks = [instanceDays];
