import { type Count, wrongCounts, wrongRows } from '../../../../platform/audit/counts.ts';
import { textList } from '../../../../platform/store/columns.ts';
import type { Snapshot } from '../../../../platform/store/transaction.ts';
import type { Problem } from '../../../../proof/log/problem.ts';
import { FAILED_STATUSES } from '../../../../proof/receipt/outcome.ts';

/** `receiptOutcome` as SQL, of a version `v` that is not pending. */
const OUTCOME = `
  CASE WHEN v.error_tranche <> 'NONE' OR v.status IN (${textList(FAILED_STATUSES)}) THEN 'failure'
    WHEN v.status = 'success' THEN 'success' ELSE 'neither' END`;

/**
 * Receipts counted for an agent that the service issued itself, or whose agent, day or outcome differs from
 * the receipt's finalized version.
 */
const COUNTED_RECEIPTS = `
  SELECT c.receipt_seq, 1 AS expected, 0 AS found
  FROM agent_receipt c LEFT JOIN receipt r USING (receipt_seq)
    LEFT JOIN receipt_version v ON v.receipt_seq = c.receipt_seq AND v.version = 2 AND v.status <> 'pending'
    LEFT JOIN agent a ON a.agent_seq = c.agent_seq AND lower(hex(a.subject_commitment)) = r.agent_id
  WHERE a.agent_seq IS NULL OR c.day IS NOT unixepoch(v.signed_at) / 86400 OR c.outcome IS NOT ${OUTCOME}
    OR EXISTS (SELECT 1 FROM service_receipt s WHERE s.receipt_seq = c.receipt_seq)
  LIMIT 100`;

/** The expected counts of each agent by day and outcome, from evidence and from receipts that count. */
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

const DAYS = 'made m LEFT JOIN agent_day d USING (agent_seq, day)';
const DAY_COUNTS: readonly Count[] = (['successes', 'failures'] as const).map((outcome) => ({
  what: `${outcome} is not the number of its evidence and receipts`,
  expected: `m.${outcome}`,
  // A day with only receipts of outcome `neither` has no row.
  found: `iif(m.successes + m.failures > 0, d.${outcome}, coalesce(d.${outcome}, 0))`,
}));

const AGENTS = `
  agent_standing s JOIN agent a USING (agent_seq)
  LEFT JOIN (
    SELECT agent_seq, sum(items) AS items, sum(receipts) AS receipts, sum(failures) AS failures, sum(deliverables) AS deliverables,
      sum(successes + failures) AS events
    FROM made GROUP BY 1
  ) i USING (agent_seq)
  LEFT JOIN (SELECT agent_seq, sum(successes + failures) AS events FROM agent_day GROUP BY 1) d USING (agent_seq)
  LEFT JOIN (SELECT agent_seq, count(*) AS commits FROM evidence_commit GROUP BY 1) c USING (agent_seq)
  LEFT JOIN (
    SELECT subject_commitment, count(*) AS items FROM lost_evidence
    WHERE NOT EXISTS (SELECT 1 FROM evidence WHERE evidence_seq = leaf_seq) GROUP BY 1
  ) l USING (subject_commitment)`;
const AGENT_COUNTS: readonly Count[] = [
  {
    what: 'evidence_count is not the number of its evidence',
    expected: 'coalesce(i.items, 0)',
    found: 's.evidence_count',
  },
  {
    what: 'lost_count is not the number of its items that only the log has',
    expected: 'coalesce(l.items, 0)',
    found: 's.lost_count',
  },
  {
    what: 'artifact_count is not the number of its commits and deliverables',
    expected: 'coalesce(c.commits, 0) + coalesce(i.deliverables, 0)',
    found: 's.artifact_count',
  },
  {
    what: 'the events of its days are not the number of its evidence and receipts',
    expected: 'coalesce(i.events, 0)',
    found: 'coalesce(d.events, 0)',
  },
  {
    what: 'failure_count is not the number of its failed evidence and receipts',
    expected: 'coalesce(i.failures, 0)',
    found: 's.failure_count',
  },
  {
    what: 'receipt_count is not the number of receipts that count for it',
    expected: 'coalesce(i.receipts, 0)',
    found: 's.receipt_count',
  },
  {
    what: 'milestone is not what its evidence has reached',
    expected:
      'CASE WHEN s.evidence_count >= 1000 THEN 1000 WHEN s.evidence_count >= 500 THEN 500 WHEN s.evidence_count >= 100 THEN 100 ELSE 0 END',
    found: 's.milestone',
  },
  {
    what: "listed does not match the agent's state",
    expected: "a.state = 'ISSUED'",
    found: 's.listed',
  },
];

/**
 * Agents whose last item only the log has, or had, and whose chain ends with another. Evidence compares the
 * end of the other chains.
 */
const HEADS = `
  SELECT s.agent_seq, lower(hex(l.event_hash)) AS expected, lower(hex(s.last_event_hash)) AS found
  FROM (SELECT subject_commitment, max(position) AS position, event_hash FROM lost_evidence GROUP BY 1) l
    JOIN agent a USING (subject_commitment) JOIN agent_standing s USING (agent_seq)
  WHERE l.position = s.evidence_count + s.lost_count AND l.event_hash IS NOT s.last_event_hash
  LIMIT 100`;

/** Returns up to 100 problems of chains that end with an item that a restored backup lacked. */
export function wrongLostHeads(snapshot: Snapshot): Promise<Problem[]> {
  const problem = 'last_event_hash is not the event_hash of the last item';
  return wrongRows(snapshot, 'agent_standing', problem, HEADS);
}

/** Returns up to 100 problems of receipts that are counted wrongly for an agent. */
export function wrongAgentReceipts(snapshot: Snapshot): Promise<Problem[]> {
  const problem = 'it is not what the finalized version of the receipt says';
  return wrongRows(snapshot, 'agent_receipt', problem, COUNTED_RECEIPTS);
}

/** Returns some problems of agents' counts by day. */
export function wrongAgentDays(snapshot: Snapshot): Promise<Problem[]> {
  const rows = { common: OF_AGENTS, from: DAYS };
  return wrongCounts(snapshot, 'agent_day', ['agent_seq', 'day'], rows, DAY_COUNTS);
}

/** Returns some problems of agents' counters. */
export function wrongAgentCounters(snapshot: Snapshot): Promise<Problem[]> {
  const rows = { common: OF_AGENTS, from: AGENTS };
  return wrongCounts(snapshot, 'agent_standing', ['agent_seq'], rows, AGENT_COUNTS);
}
