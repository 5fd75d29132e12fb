import type { Snapshot } from '../../platform/store/transaction.ts';

/** A count that is not what it is counted of; null where there is no row. */
export interface DerivedRow {
  table: string;
  what: string;
  row: Record<string, string | number | null>;
  expected: number;
  found: number | null;
}

/** Every count of receipts is a sum over them; a state that once had some may be left with none. */
const COUNTS = `
  WITH made AS (SELECT operator_seq, status, revocation_status, count(*) AS receipts FROM receipt GROUP BY 1, 2, 3)
  SELECT coalesce(m.operator_seq, c.operator_seq) AS operator_seq, coalesce(m.status, c.status) AS status,
    coalesce(m.revocation_status, c.revocation_status) AS revocation_status, coalesce(m.receipts, 0) AS expected, c.receipts AS found
  FROM made m FULL JOIN receipt_count c USING (operator_seq, status, revocation_status)
  WHERE coalesce(m.receipts, 0) <> coalesce(c.receipts, -1) LIMIT 100`;

/**
 * What the gate weighs: each finalized receipt that is not revoked, at the time of its signed version, with its breach. A receipt
 * has one such version, since revoking adds one that is revoked.
 */
const FINALIZATIONS = `
  SELECT r.receipt_seq, 1 AS expected, NULL AS found
  FROM receipt r JOIN receipt_version v ON v.receipt_seq = r.receipt_seq AND v.version = r.version
    LEFT JOIN gate_finalization g ON g.operator_seq = r.operator_seq AND g.domain = r.domain
      AND g.blind = (r.domain_commitment IS NOT NULL)
      AND g.finalized_at = CAST(round(unixepoch(v.signed_at, 'subsec') * 1000) AS INTEGER)
      AND g.receipt_seq = r.receipt_seq AND g.breach = (v.error_tranche = 'SLA_BREACH')
  WHERE r.status <> 'pending' AND r.revocation_status = 'active' AND g.receipt_seq IS NULL LIMIT 100`;

/** Where all of those are there, others are only where there are more rows than such receipts. */
const SURPLUS = `
  SELECT g.receipt_seq, 0 AS expected, 1 AS found
  FROM gate_finalization g LEFT JOIN receipt r USING (receipt_seq)
    LEFT JOIN receipt_version v ON v.receipt_seq = r.receipt_seq AND v.version = r.version
  WHERE (SELECT count(*) FROM gate_finalization) IS NOT (
      SELECT coalesce(sum(receipts), 0) FROM receipt_count WHERE status <> 'pending' AND revocation_status = 'active'
    )
    AND (
      r.operator_seq IS NOT g.operator_seq OR r.domain IS NOT g.domain OR (r.domain_commitment IS NOT NULL) IS NOT g.blind
      OR r.status = 'pending' OR r.revocation_status IS NOT 'active'
      OR CAST(round(unixepoch(v.signed_at, 'subsec') * 1000) AS INTEGER) IS NOT g.finalized_at
    )
  LIMIT 100`;

/** What counted for an agent is what its finalized version says. */
const COUNTED_RECEIPTS = `
  SELECT c.receipt_seq, 1 AS expected, 0 AS found
  FROM agent_receipt c LEFT JOIN receipt r USING (receipt_seq)
    LEFT JOIN receipt_version v ON v.receipt_seq = c.receipt_seq AND v.version = 2 AND v.status <> 'pending'
    LEFT JOIN agent a ON a.agent_seq = c.agent_seq AND lower(hex(a.subject_commitment)) = r.agent_id
  WHERE a.agent_seq IS NULL OR c.day IS NOT unixepoch(v.signed_at) / 86400 OR c.outcome IS NOT CASE
    WHEN v.error_tranche <> 'NONE' OR v.status IN ('failure_tombstone', 'timeout') THEN 'failure'
    WHEN v.status = 'success' THEN 'success' ELSE 'neither' END
  LIMIT 100`;

/** What there is of each agent by day and outcome: evidence, and the receipts that count. */
const OF_AGENTS = `
  made AS (
    SELECT agent_seq, day, sum(outcome = 'success') AS successes, sum(outcome = 'failure') AS failures,
      sum(is_evidence) AS items, sum(NOT is_evidence) AS receipts, sum(is_deliverable) AS deliverables
    FROM (
      SELECT agent_seq, unixepoch(created_at) / 86400 AS day, outcome, 1 AS is_evidence,
        source_type = 'task_deliverable' AS is_deliverable FROM evidence
      UNION ALL
      SELECT c.agent_seq, c.day, c.outcome, 0, 0 FROM agent_receipt c JOIN receipt r USING (receipt_seq)
      WHERE r.revocation_status = 'active'
    ) GROUP BY 1, 2
  )`;

/** What is wrong where the second is not the first: SQL over the rows of a FROM. */
type Count = readonly [what: string, expected: string, found: string];

const DAYS = 'made m LEFT JOIN agent_day d USING (agent_seq, day)';
const DAY_COUNTS: readonly Count[] = (['successes', 'failures'] as const).map((outcome) => [
  `${outcome} is not the number of its evidence and receipts`,
  `m.${outcome}`,
  // A day of receipts that count as neither has no row.
  `iif(m.successes + m.failures > 0, d.${outcome}, coalesce(d.${outcome}, 0))`,
]);

const AGENTS = `
  agent_standing s JOIN agent a USING (agent_seq)
  LEFT JOIN (
    SELECT agent_seq, sum(items) AS items, sum(receipts) AS receipts, sum(failures) AS failures, sum(deliverables) AS deliverables,
      sum(successes + failures) AS events
    FROM made GROUP BY 1
  ) i USING (agent_seq)
  LEFT JOIN (SELECT agent_seq, sum(successes + failures) AS events FROM agent_day GROUP BY 1) d USING (agent_seq)
  LEFT JOIN (SELECT agent_seq, count(*) AS commits FROM evidence_commit GROUP BY 1) c USING (agent_seq)`;
const AGENT_COUNTS: readonly Count[] = [
  ['evidence_count is not the number of its evidence', 'coalesce(i.items, 0)', 's.evidence_count'],
  [
    'artifact_count is not the number of its commits and deliverables',
    'coalesce(c.commits, 0) + coalesce(i.deliverables, 0)',
    's.artifact_count',
  ],
  [
    'its days have not as many events as its evidence and receipts',
    'coalesce(i.events, 0)',
    'coalesce(d.events, 0)',
  ],
  [
    'failure_count is not the number of its failed evidence and receipts',
    'coalesce(i.failures, 0)',
    's.failure_count',
  ],
  [
    'receipt_count is not the number of receipts that count for it',
    'coalesce(i.receipts, 0)',
    's.receipt_count',
  ],
  [
    'milestone is not what its evidence has reached',
    'CASE WHEN s.evidence_count >= 1000 THEN 1000 WHEN s.evidence_count >= 500 THEN 500 WHEN s.evidence_count >= 100 THEN 100 ELSE 0 END',
    's.milestone',
  ],
  ['listed is not whether the agent stands', "a.state = 'ISSUED'", 's.listed'],
];

/** The rows of which a count is wrong, with all of their counts: one look at the evidence, however many there are of them. */
const wrongCounts = (keys: string, from: string, counts: readonly Count[]) => `
  WITH ${OF_AGENTS}
  SELECT ${keys}, ${counts.map(([, expected, found], at) => `${expected} AS expected${at}, ${found} AS found${at}`).join(', ')}
  FROM ${from} WHERE ${counts.map(([, expected, found]) => `${expected} IS NOT ${found}`).join(' OR ')} LIMIT 100`;

interface Counted {
  [column: string]: string | number | null;
  expected: number;
  found: number | null;
}

/** The counts that are wrong, some. */
export function derivedRows({ connection: { sqlite } }: Snapshot): DerivedRow[] {
  const wrong = (table: string, what: string, text: string): DerivedRow[] =>
    sqlite
      .query<Counted, []>(text)
      .all()
      .map(({ expected, found, ...row }) => ({ table, what, row, expected, found }));
  const ofReceipts = 'it is not the number of receipts of which it says so';
  return [
    ...wrong('receipt_count', ofReceipts, COUNTS),
    ...wrong(
      'gate_finalization',
      'the finalized version of the receipt is not counted as it is',
      FINALIZATIONS,
    ),
    ...wrong('gate_finalization', 'there is no such finalized receipt that is not revoked', SURPLUS),
    ...wrong('agent_receipt', 'it is not what the finalized version of the receipt says', COUNTED_RECEIPTS),
    ...wrongOf(sqlite, 'agent_day', ['agent_seq', 'day'], DAYS, DAY_COUNTS),
    ...wrongOf(sqlite, 'agent_standing', ['agent_seq'], AGENTS, AGENT_COUNTS),
  ];
}

/** One row for each count that is wrong. */
function wrongOf(
  sqlite: Snapshot['connection']['sqlite'],
  table: string,
  keys: readonly string[],
  from: string,
  counts: readonly Count[],
): DerivedRow[] {
  const text = wrongCounts(keys.join(', '), from, counts);
  return sqlite
    .query<Record<string, number | null>, []>(text)
    .all()
    .flatMap((found) =>
      counts.flatMap(([what], at) => {
        const [expected = null, there = null] = [found[`expected${at}`], found[`found${at}`]];
        if (expected === there) return [];
        const row = Object.fromEntries(keys.map((key) => [key, found[key] ?? null]));
        return [{ table, what, row, expected: expected ?? 0, found: there }];
      }),
    );
}
