import { a2aArtifact, a2aMessage, a2aTask } from '../../../../../db/trust/a2a.ts';
import { type Count, wrongCounts, wrongRows } from '../../../../platform/audit/counts.ts';
import { orNull, sqlOf } from '../../../../platform/store/sql.ts';
import type { Snapshot } from '../../../../platform/store/transaction.ts';
import type { Problem } from '../../../../proof/log/problem.ts';

const sql = sqlOf({ a2aMessage, a2aArtifact });

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
    expected: `CASE WHEN t.state IN ('submitted', 'working', 'input-required', 'completed', 'canceled', 'failed', 'rejected')
        THEN t.state ELSE 'a state' END`,
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
    expected: 'CASE WHEN t.escrow_seq IS NULL THEN t.artifacts > 0 END',
    found: "CASE WHEN t.escrow_seq IS NULL THEN t.state = 'completed' END",
  },
  {
    what: 'its escrow is not one of A2A with its task_id',
    expected: "CASE WHEN t.escrow_seq IS NOT NULL THEN 'a2a, a2a_' || lower(hex(t.task_id)) END",
    found: "e.purpose || ', ' || e.task_id",
  },
  {
    what: 'its skill has no escrow',
    expected: "CASE WHEN e.escrow_seq IS NOT NULL THEN 'hire_agent' END",
    found: 'CASE WHEN e.escrow_seq IS NOT NULL THEN t.skill END',
  },
  {
    what: 'state is not that of its escrow',
    expected: `CASE e.status WHEN 'HELD' THEN 'working' WHEN 'DELIVERED' THEN 'input-required' WHEN 'PAID' THEN 'completed'
      WHEN 'CANCELLED' THEN 'canceled' WHEN 'EXPIRED' THEN 'failed' END`,
    found: 'CASE WHEN e.escrow_seq IS NOT NULL THEN t.state END',
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
export type ContentRow = Awaited<ReturnType<typeof messageRows>>[number];

/** Reads the messages of a range. */
export const messageRows = sql.joined({
  seq: a2aMessage.messageSeq,
  content: a2aMessage.content,
  digest: a2aMessage.digest,
  /** Whether the row has the digest of a client's message. */
  isRepeatable: sql.number`repetition IS NOT NULL`,
  /** null if the task is missing. */
  taskSeq: orNull(a2aTask.taskSeq),
}).rows`FROM a2a_message LEFT JOIN a2a_task USING (task_seq)
  WHERE message_seq > ${'after:messageSeq'} AND message_seq <= ${'reach:messageSeq'} ORDER BY message_seq`;

/** Reads the artifacts of a range. */
export const artifactRows = sql.joined({
  seq: a2aArtifact.artifactSeq,
  content: a2aArtifact.content,
  digest: a2aArtifact.digest,
  isRepeatable: sql.number`0`,
  taskSeq: orNull(a2aTask.taskSeq),
}).rows`FROM a2a_artifact LEFT JOIN a2a_task USING (task_seq)
  WHERE artifact_seq > ${'after:artifactSeq'} AND artifact_seq <= ${'reach:artifactSeq'}
  ORDER BY artifact_seq`;

const highestMessage = sql.value(orNull(sql.number`max(message_seq)`))`FROM a2a_message`;
const highestArtifact = sql.value(orNull(sql.number`max(artifact_seq)`))`FROM a2a_artifact`;

/** Returns the number of the newest message; 0 if there is none. */
export async function newestMessage(snapshot: Snapshot): Promise<number> {
  return (await highestMessage(snapshot)) ?? 0;
}

/** Returns the number of the newest artifact; 0 if there is none. */
export async function newestArtifact(snapshot: Snapshot): Promise<number> {
  return (await highestArtifact(snapshot)) ?? 0;
}
