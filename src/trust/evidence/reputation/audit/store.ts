import { agentReceipt } from '../../../../../db/trust/reputation.ts';
import { wrongRows } from '../../../../platform/audit/counts.ts';
import { derived } from '../../../../platform/audit/derived.ts';
import type { Derived } from '../../../../platform/audit/table.ts';
import { textList } from '../../../../platform/store/columns.ts';
import { sqlOf } from '../../../../platform/store/sql.ts';
import { FAILED_STATUSES } from '../../../../proof/receipt/outcome.ts';
import { COUNTED_DELIVERIES } from '../deliveries-store.ts';
import { Z } from '../score.ts';
import { DAY_COLUMNS, LIMITED } from '../store.ts';

const sql = sqlOf({ agentReceipt });

/** `receiptOutcome` as SQL, of a version `v` that is not pending. */
const OUTCOME = sql.part`
  CASE WHEN v.error_tranche <> 'NONE' OR v.status IN (${sql.verbatim(textList(FAILED_STATUSES))}) THEN 'failure'
    WHEN v.status = 'success' THEN 'success' ELSE 'neither' END`;

/**
 * Receipts counted for an agent that the service issued itself, or whose agent, day or outcome differs from
 * the receipt's finalized version. Which ones are counted follows from nothing else: the sponsor may change.
 */
export const countedReceipts = wrongRows(
  'agent_receipt',
  'it is not what the finalized version of the receipt says',
  sql.reported()`SELECT c.receipt_seq, 1 AS expected, 0 AS found
    FROM agent_receipt c LEFT JOIN receipt r USING (receipt_seq)
      LEFT JOIN receipt_version v
        ON v.receipt_seq = c.receipt_seq AND v.version = 2 AND v.status <> 'pending'
      LEFT JOIN agent a ON a.agent_seq = c.agent_seq AND lower(hex(a.subject_commitment)) = r.agent_id
    WHERE a.agent_seq IS NULL OR c.day IS DISTINCT FROM unixepoch(v.signed_at) / 86400
      OR c.outcome IS DISTINCT FROM ${OUTCOME}
      OR EXISTS (SELECT 1 FROM service_receipt s WHERE s.receipt_seq = c.receipt_seq)
    LIMIT 100`,
);

/**
 * The events of each agent by day: its evidence, and the receipts that count for it. An assessment of another
 * agent is an item without an outcome; the other may have an outcome by it.
 */
const DAYS = sql.part`
  SELECT agent_seq, day, sum(counts AND outcome = 'success') AS successes,
    sum(counts AND outcome = 'failure') AS failures, sum(basis NOT IN ('assessed', 'revoked') AND outcome = 'failure') AS failed,
    sum(counts AND basis = 'corroborated' AND outcome = 'success') AS corroborated_successes,
    sum(counts AND basis = 'corroborated' AND outcome = 'failure') AS corroborated_failures,
    sum(basis = 'sponsored' AND outcome = 'success') AS sponsored_successes,
    sum(basis = 'sponsored' AND outcome = 'failure') AS sponsored_failures,
    sum(basis = 'assessed' AND outcome = 'success') AS assessed_successes,
    sum(basis = 'assessed' AND outcome = 'failure') AS assessed_failures,
    sum(basis = 'revoked' AND outcome = 'failure') AS revoked_failures,
    sum(basis IN ('self_signed', 'corroborated')) AS items, sum(basis = 'sponsored') AS receipts, sum(is_deliverable) AS deliverables
  FROM (
    SELECT agent_seq, unixepoch(created_at) / 86400 AS day,
      CASE source_type WHEN 'assessment' THEN 'neither' ELSE outcome END AS outcome,
      iif(a.evidence_seq IS NULL, 'self_signed', 'corroborated') AS basis, r.evidence_seq IS NULL AS counts,
      source_type = 'task_deliverable' AS is_deliverable
    FROM evidence LEFT JOIN evidence_attested AS a USING (evidence_seq)
      LEFT JOIN evidence_repeat AS r USING (evidence_seq)
    UNION ALL
    SELECT c.agent_seq, c.day, c.outcome, iif(r.revocation_status = 'active', 'sponsored', 'revoked'),
      r.revocation_status = 'active', 0
    FROM agent_receipt c JOIN receipt r USING (receipt_seq)
    UNION ALL
    SELECT subject_seq, day, outcome, 'assessed', 0, 0 FROM assessed_outcome
  ) AS event GROUP BY agent_seq, day`;

const number = (of: string) => `${of} is not the number of its evidence and receipts`;

/**
 * The successes and failures of each day, by who attests them. A day that receipts have left, by revocation,
 * stays with 0.
 */
export const agentDays = derived({
  table: 'agent_day',
  key: ['agent_seq', 'day'],
  columns: Object.fromEntries(DAY_COLUMNS.map((column) => [column, number(column)])),
  derives: 'rows',
  mayBeZero: true,
  query: sql.part`SELECT agent_seq, day, ${sql.verbatim(DAY_COLUMNS.join(', '))} FROM (${DAYS}) AS made
    WHERE successes + failures + assessed_successes + assessed_failures + revoked_failures > 0`,
});

/** The counts of each agent. */
const counts = derived({
  table: 'agent_standing',
  key: ['agent_seq'],
  columns: {
    evidence_count: 'evidence_count is not the number of its evidence',
    lost_count: 'lost_count is not the number of its items that only the log has',
    artifact_count: 'artifact_count is not the number of its commits and deliverables',
    failure_count: 'failure_count is not the number of its failed evidence and receipts',
    receipt_count: 'receipt_count is not the number of receipts that count for it',
    milestone: 'milestone is not what its evidence has reached',
    listed: "listed does not match the agent's state",
  },
  derives: 'columns',
  query: sql.part`SELECT a.agent_seq, coalesce(i.items, 0) AS evidence_count, coalesce(l.items, 0) AS lost_count,
      coalesce(c.commits, 0) + coalesce(i.deliverables, 0) AS artifact_count,
      coalesce(i.failures, 0) AS failure_count, coalesce(i.receipts, 0) AS receipt_count,
      CASE WHEN i.items >= 1000 THEN 1000 WHEN i.items >= 500 THEN 500 WHEN i.items >= 100 THEN 100
        ELSE 0 END AS milestone,
      a.state = 'ISSUED' AS listed
    FROM agent a
      LEFT JOIN (
        SELECT agent_seq, sum(items) AS items, sum(receipts) AS receipts, sum(failed) AS failures,
          sum(deliverables) AS deliverables
        FROM (${DAYS}) AS made GROUP BY agent_seq
      ) AS i ON i.agent_seq = a.agent_seq
      LEFT JOIN (
        SELECT agent_seq, count(*) AS commits FROM evidence_commit GROUP BY agent_seq
      ) AS c ON c.agent_seq = a.agent_seq
      LEFT JOIN (
        SELECT subject_commitment, count(*) AS items FROM lost_evidence
        WHERE NOT EXISTS (SELECT 1 FROM evidence WHERE evidence_seq = leaf_seq) GROUP BY subject_commitment
      ) AS l ON l.subject_commitment = a.subject_commitment`,
});

/**
 * Agents whose last item only the log has, or had, and whose chain ends with another. Evidence compares the
 * end of the other chains. SQLite takes event_hash from the row of max().
 */
export const lostHeads = wrongRows(
  'agent_standing',
  'last_event_hash is not the event_hash of the last item',
  sql.reported()`SELECT s.agent_seq, lower(hex(l.event_hash)) AS expected, lower(hex(s.last_event_hash)) AS found
    FROM (SELECT subject_commitment, max(position) AS position, event_hash FROM lost_evidence GROUP BY 1) AS l
      JOIN agent a USING (subject_commitment) JOIN agent_standing s USING (agent_seq)
    WHERE l.position = s.evidence_count + s.lost_count AND l.event_hash IS DISTINCT FROM s.last_event_hash
    LIMIT 100`,
);

const DELIVERIES = 'deliveries is not the number of its accepted deliveries that count';
const SCORE = 'score is not what its outcomes give';

/** Agents whose deliveries are not those that count on the day of the clock, if that day was done. */
const wrongDeliveries = wrongRows(
  'agent_standing',
  DELIVERIES,
  sql.reported()`WITH of_day AS (SELECT day, 0 AS first, 9223372036854775807 AS last FROM delivery_clock WHERE worker_seq = 0)
    SELECT s.agent_seq, coalesce(c.deliveries, 0) AS expected, s.deliveries AS found
    FROM agent_standing s LEFT JOIN (${COUNTED_DELIVERIES}) AS c ON c.worker_seq = s.agent_seq
    WHERE EXISTS (SELECT 1 FROM of_day) AND s.deliveries <> coalesce(c.deliveries, 0) LIMIT 100`,
);

/** Accepted deliveries that are not what their hires say. The sponsors are those of that moment. */
export const acceptances = wrongRows(
  'accepted_delivery',
  'it is not what the hire says',
  sql.reported()`SELECT d.escrow_seq, 1 AS expected, 0 AS found
    FROM accepted_delivery d LEFT JOIN escrow e USING (escrow_seq)
    WHERE e.status IS NOT 'PAID' OR e.ended_by IS NOT 'hirer' OR e.sandbox > 0 OR e.worker_seq <> d.worker_seq
      OR d.accepted_day <> e.paid_at / 86400000
    LIMIT 100`,
);

/** Payments of hires that nobody delivered. */
export const hirePayments = wrongRows(
  'hire_payment',
  'its hire was never delivered',
  sql.reported()`SELECT h.escrow_seq, h.payment_seq, 1 AS expected, 0 AS found
    FROM hire_payment h LEFT JOIN escrow e USING (escrow_seq) WHERE e.deliverable_digest IS NULL LIMIT 100`,
);

/** The days on which administrators took bought credits back from each agent. */
const clawBackRows = derived({
  table: 'claw_back',
  key: ['agent_seq', 'day'],
  columns: {},
  derives: 'rows',
  query: sql.part`SELECT DISTINCT debit_owner AS agent_seq, created_at / 86400000 AS day FROM movement
    WHERE kind = 'ADJUSTMENT' AND debit_kind = 'agent' AND reference = 'claw_back'
      AND asset IN ('paid', 'promotional')`,
});

/** Claw-backs, as the ledger has them. After a repair the service counts all deliveries again. */
export const clawBacks: Derived = {
  ...clawBackRows,
  rebuild: async (connection) => {
    await clawBackRows.rebuild(connection);
    connection.sqlite.run('DELETE FROM delivery_clock');
  },
};

/** `scoreOf` as SQL, of weighed sums: successes `x`, and all `n`. */
const WILSON = sql.verbatim(`iif(x = 0, 0, max(0, (x / n + ${Z ** 2} / (2 * n)
  - ${Z} * sqrt((x / n * (1 - x / n)) / n + ${Z ** 2} / (4 * n * n))) / (1 + ${Z ** 2} / n)))`);

/**
 * Agents whose score is not that of their outcomes on the day of the clock, if that day was done, unless it
 * is going to be computed again.
 */
const wrongScores = wrongRows(
  'agent_standing',
  SCORE,
  sql.reported()`SELECT agent_seq, expected, found FROM (
      SELECT agent_seq, found, CAST(round(100 * ${WILSON}) AS INTEGER) AS expected FROM (
        SELECT agent_seq, found, x, x + y AS n FROM (
          SELECT agent_seq, score AS found,
            cs + iif(limited, min(ss, 10 + 3 * cs), ss) / 2.0 AS x, cf + (sf + rf) / 2.0 + self AS y
          FROM (
            SELECT agent_standing.agent_seq, score, ${LIMITED} AS limited,
              coalesce(sum(failures - corroborated_failures - sponsored_failures), 0) AS self,
              coalesce(sum(corroborated_successes + assessed_successes), 0) + deliveries AS cs,
              coalesce(sum(corroborated_failures + assessed_failures), 0) AS cf,
              coalesce(sum(sponsored_successes), 0) AS ss, coalesce(sum(sponsored_failures), 0) AS sf,
              coalesce(sum(revoked_failures), 0) AS rf
            FROM reputation_clock CROSS JOIN agent_standing LEFT JOIN agent_day
              ON agent_day.agent_seq = agent_standing.agent_seq AND agent_day.day BETWEEN reputation_clock.day - 29
                AND reputation_clock.day
            WHERE reputation_clock.agent_seq = 0 AND stale = 0 GROUP BY agent_standing.agent_seq
          ) AS sums
        ) AS weighed
      ) AS sized
    ) AS scored WHERE expected <> found LIMIT 100`,
);

/**
 * The counts and the score of each agent. Making it again has the deliveries counted, and the scores
 * computed, by the service that starts next.
 */
export const standings: Derived = {
  ...counts,
  check: async (snapshot) => [
    ...(await counts.check(snapshot)),
    ...(await wrongDeliveries(snapshot)),
    ...(await wrongScores(snapshot)),
  ],
  explains: (problem) => counts.explains(problem) || [DELIVERIES, SCORE].includes(problem.what),
  rebuild: async (connection) => {
    await counts.rebuild(connection);
    connection.sqlite.run('UPDATE agent_standing SET deliveries = 0, score = 0, stale = 1');
    connection.sqlite.run('DELETE FROM delivery_clock');
  },
};
