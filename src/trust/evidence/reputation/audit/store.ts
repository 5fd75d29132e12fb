import { agentReceipt } from '../../../../../db/trust/reputation.ts';
import { wrongRows } from '../../../../platform/audit/counts.ts';
import { derived } from '../../../../platform/audit/derived.ts';
import { textList } from '../../../../platform/store/columns.ts';
import { sqlOf } from '../../../../platform/store/sql.ts';
import { FAILED_STATUSES } from '../../../../proof/receipt/outcome.ts';

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
 * agent is an item without an outcome.
 */
const DAYS = sql.part`
  SELECT agent_seq, day, sum(outcome = 'success') AS successes, sum(outcome = 'failure') AS failures,
    sum(is_evidence) AS items, sum(NOT is_evidence) AS receipts, sum(is_deliverable) AS deliverables
  FROM (
    SELECT agent_seq, unixepoch(created_at) / 86400 AS day,
      CASE source_type WHEN 'assessment' THEN 'neither' ELSE outcome END AS outcome, 1 AS is_evidence,
      source_type = 'task_deliverable' AS is_deliverable FROM evidence
    UNION ALL
    SELECT c.agent_seq, c.day, c.outcome, 0, 0 FROM agent_receipt c JOIN receipt r USING (receipt_seq)
    WHERE r.revocation_status = 'active'
  ) AS event GROUP BY agent_seq, day`;

const number = (of: string) => `${of} is not the number of its evidence and receipts`;

/** The successes and failures of each day. A day that receipts have left, by revocation, stays with 0. */
export const agentDays = derived({
  table: 'agent_day',
  key: ['agent_seq', 'day'],
  columns: { successes: number('successes'), failures: number('failures') },
  derives: 'rows',
  mayBeZero: true,
  query: sql.part`SELECT agent_seq, day, successes, failures FROM (${DAYS}) AS made
    WHERE successes + failures > 0`,
});

/** The counts of each agent. */
export const standings = derived({
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
        SELECT agent_seq, sum(items) AS items, sum(receipts) AS receipts, sum(failures) AS failures,
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
