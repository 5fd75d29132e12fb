import { type Count, wrongCounts, wrongRows } from '../../../platform/audit/counts.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import type { Problem } from '../../../proof/log/problem.ts';

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

const DAYS = 'made m LEFT JOIN agent_day d USING (agent_seq, day)';
const DAY_COUNTS: readonly Count[] = (['successes', 'failures'] as const).map((outcome) => ({
  what: `${outcome} is not the number of its evidence and receipts`,
  expected: `m.${outcome}`,
  // A day of receipts that count as neither has no row.
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
  LEFT JOIN (SELECT agent_seq, count(*) AS commits FROM evidence_commit GROUP BY 1) c USING (agent_seq)`;
const AGENT_COUNTS: readonly Count[] = [
  {
    what: 'evidence_count is not the number of its evidence',
    expected: 'coalesce(i.items, 0)',
    found: 's.evidence_count',
  },
  {
    what: 'artifact_count is not the number of its commits and deliverables',
    expected: 'coalesce(c.commits, 0) + coalesce(i.deliverables, 0)',
    found: 's.artifact_count',
  },
  {
    what: 'its days have not as many events as its evidence and receipts',
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
    what: 'listed is not whether the agent stands',
    expected: "a.state = 'ISSUED'",
    found: 's.listed',
  },
];

/** Receipts that count for an agent otherwise than they say, some. */
export function wrongAgentReceipts(snapshot: Snapshot): Promise<Problem[]> {
  const what = 'it is not what the finalized version of the receipt says';
  return wrongRows(snapshot, 'agent_receipt', what, COUNTED_RECEIPTS);
}

/** The counts of agents' days that are wrong, some. */
export function wrongAgentDays(snapshot: Snapshot): Promise<Problem[]> {
  const rows = { common: OF_AGENTS, from: DAYS };
  return wrongCounts(snapshot, 'agent_day', ['agent_seq', 'day'], rows, DAY_COUNTS);
}

/** The counts of agents that are wrong, some. */
export function wrongAgentCounters(snapshot: Snapshot): Promise<Problem[]> {
  const rows = { common: OF_AGENTS, from: AGENTS };
  return wrongCounts(snapshot, 'agent_standing', ['agent_seq'], rows, AGENT_COUNTS);
}
