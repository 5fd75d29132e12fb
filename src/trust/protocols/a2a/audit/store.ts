import { type Count, wrongCounts, wrongRows } from '../../../../platform/audit/counts.ts';
import { runQuery, type Snapshot } from '../../../../platform/store/transaction.ts';
import type { Problem } from '../../../../proof/log/problem.ts';

/** Tasks with their operators and escrow. */
const TASKS = `a2a_task t
  LEFT JOIN operator o ON o.operator_seq = t.operator_seq
  LEFT JOIN escrow e ON e.escrow_seq = t.escrow_seq`;

const CHECKS: readonly Count[] = [
  {
    what: 'there is no operator with its operator_seq',
    expected: 't.operator_seq',
    found: 'o.operator_seq',
  },
  {
    what: 'state is none of its states',
    expected:
      "iif(t.state IN ('submitted', 'working', 'input-required', 'completed', 'canceled', 'failed', 'rejected'), t.state, 'a state')",
    found: 't.state',
  },
  {
    what: 'messages is not the number of its messages',
    expected: '(SELECT count(*) FROM a2a_message m WHERE m.task_seq = t.task_seq)',
    found: 't.messages',
  },
  {
    what: 'artifacts is not the number of its artifacts',
    expected: '(SELECT count(*) FROM a2a_artifact a WHERE a.task_seq = t.task_seq)',
    found: 't.artifacts',
  },
  {
    what: 'state is not that of a task with its number of artifacts',
    expected: 'iif(t.escrow_seq IS NULL, t.artifacts > 0, NULL)',
    found: "iif(t.escrow_seq IS NULL, t.state = 'completed', NULL)",
  },
  {
    what: 'its escrow is not one of A2A with its task_id',
    expected: "iif(t.escrow_seq IS NULL, NULL, 'a2a, a2a_' || lower(hex(t.task_id)))",
    found: "e.purpose || ', ' || e.task_id",
  },
  {
    what: 'its skill has no escrow',
    expected: "iif(e.escrow_seq IS NULL, NULL, 'hire_agent')",
    found: 'iif(e.escrow_seq IS NULL, NULL, t.skill)',
  },
  {
    what: 'state is not that of its escrow',
    expected: `CASE e.status WHEN 'HELD' THEN 'working' WHEN 'DELIVERED' THEN 'input-required' WHEN 'PAID' THEN 'completed'
      WHEN 'CANCELLED' THEN 'canceled' WHEN 'EXPIRED' THEN 'failed' END`,
    found: 'iif(e.escrow_seq IS NULL, NULL, t.state)',
  },
];

/** Open escrow of A2A without its task: nobody could accept it by A2A. */
const WITHOUT_TASK = `
  SELECT e.escrow_seq, 1 AS expected, NULL AS found FROM escrow e LEFT JOIN a2a_task t ON t.escrow_seq = e.escrow_seq
  WHERE e.purpose = 'a2a' AND e.status IN ('HELD', 'DELIVERED') AND t.task_seq IS NULL LIMIT 100`;

/**
 * Returns up to 100 tasks that differ from their contents or escrow, and up to 100 escrows without a task.
 */
export async function wrongTasks(snapshot: Snapshot): Promise<Problem[]> {
  const common = 'one AS (SELECT 1)';
  return [
    ...(await wrongCounts(snapshot, 'a2a_task', ['task_seq'], { common, from: TASKS }, CHECKS)),
    ...(await wrongRows(snapshot, 'escrow', 'it is open, and no A2A task has it', WITHOUT_TASK)),
  ];
}

/** A stored message or artifact. */
export interface ContentRow {
  seq: number;
  content: string;
  /** Lower-case hexadecimal. */
  digest: string;
  /** Whether the row has the digest of a client's message. */
  isRepeatable: number;
  /** null if the task is missing. */
  taskSeq: number | null;
}

const MESSAGES = `
  SELECT m.message_seq AS seq, m.content, lower(hex(m.digest)) AS digest, m.repetition IS NOT NULL AS isRepeatable, t.task_seq AS taskSeq
  FROM a2a_message m LEFT JOIN a2a_task t USING (task_seq) WHERE m.message_seq > ? AND m.message_seq <= ? ORDER BY m.message_seq`;
const ARTIFACTS = `
  SELECT a.artifact_seq AS seq, a.content, lower(hex(a.digest)) AS digest, 0 AS isRepeatable, t.task_seq AS taskSeq
  FROM a2a_artifact a LEFT JOIN a2a_task t USING (task_seq) WHERE a.artifact_seq > ? AND a.artifact_seq <= ? ORDER BY a.artifact_seq`;

/** Reads the messages of a range. */
export function messageRows(
  snapshot: Snapshot,
  { after, reach }: { after: number; reach: number },
): Promise<ContentRow[]> {
  return runQuery(snapshot, ({ sqlite }) =>
    sqlite.query<ContentRow, [number, number]>(MESSAGES).all(after, reach),
  );
}

/** Reads the artifacts of a range. */
export function artifactRows(
  snapshot: Snapshot,
  { after, reach }: { after: number; reach: number },
): Promise<ContentRow[]> {
  return runQuery(snapshot, ({ sqlite }) =>
    sqlite.query<ContentRow, [number, number]>(ARTIFACTS).all(after, reach),
  );
}

/** Returns the number of the newest message; 0 if there is none. */
export function newestMessage(snapshot: Snapshot): Promise<number> {
  return newest(snapshot, 'SELECT max(message_seq) AS seq FROM a2a_message');
}

/** Returns the number of the newest artifact; 0 if there is none. */
export function newestArtifact(snapshot: Snapshot): Promise<number> {
  return newest(snapshot, 'SELECT max(artifact_seq) AS seq FROM a2a_artifact');
}

function newest(snapshot: Snapshot, sql: string): Promise<number> {
  return runQuery(snapshot, ({ sqlite }) => sqlite.query<{ seq: number | null }, []>(sql).get()?.seq ?? 0);
}
