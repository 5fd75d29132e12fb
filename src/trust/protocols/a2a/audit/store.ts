import { a2aArtifact, a2aMessage, a2aTask } from '../../../../../db/trust/a2a.ts';
import { wrongRows, wrongValues } from '../../../../platform/audit/counts.ts';
import { derived } from '../../../../platform/audit/derived.ts';
import { orNull, sqlOf } from '../../../../platform/store/sql.ts';
import type { Snapshot } from '../../../../platform/store/transaction.ts';

const sql = sqlOf({ a2aTask, a2aMessage, a2aArtifact });

/** Up to 100 tasks that differ from their operator or their escrow. */
const otherTasks = wrongValues(
  'a2a_task',
  ['task_seq'],
  {
    from: sql.part`a2a_task t
      LEFT JOIN operator o ON o.operator_seq = t.operator_seq
      LEFT JOIN escrow e ON e.escrow_seq = t.escrow_seq`,
  },
  [
    {
      what: 'there is no operator with its operator_seq',
      expected: sql.part`t.operator_seq`,
      found: sql.part`o.operator_seq`,
    },
    {
      what: 'state is none of its states',
      expected: sql.part`CASE WHEN t.state IN
          ('submitted', 'working', 'input-required', 'completed', 'canceled', 'failed', 'rejected')
        THEN t.state ELSE 'a state' END`,
      found: sql.part`t.state`,
    },
    {
      what: 'state is not that of a task with its number of artifacts',
      expected: sql.part`CASE WHEN t.escrow_seq IS NULL THEN t.artifacts > 0 END`,
      found: sql.part`CASE WHEN t.escrow_seq IS NULL THEN t.state = 'completed' END`,
    },
    {
      what: 'its escrow is not one of A2A with its task_id',
      expected: sql.part`CASE WHEN t.escrow_seq IS NOT NULL THEN 'a2a, a2a_' || lower(hex(t.task_id)) END`,
      found: sql.part`e.purpose || ', ' || e.task_id`,
    },
    {
      what: 'its skill has no escrow',
      expected: sql.part`CASE WHEN e.escrow_seq IS NOT NULL THEN 'hire_agent' END`,
      found: sql.part`CASE WHEN e.escrow_seq IS NOT NULL THEN t.skill END`,
    },
    {
      what: 'state is not that of its escrow',
      expected: sql.part`CASE e.status WHEN 'HELD' THEN 'working' WHEN 'DELIVERED' THEN 'input-required'
        WHEN 'DISPUTED' THEN 'working' WHEN 'PAID' THEN 'completed' WHEN 'CANCELLED' THEN 'canceled'
        WHEN 'DECLINED' THEN 'rejected' WHEN 'EXPIRED' THEN 'failed'
        WHEN 'RESOLVED' THEN CASE WHEN e.worker_amount > 0 THEN 'completed' ELSE 'failed' END END`,
      found: sql.part`CASE WHEN e.escrow_seq IS NOT NULL THEN t.state END`,
    },
  ],
);

/** How many messages and artifacts each task has. */
const taskContents = derived({
  table: 'a2a_task',
  key: ['task_seq'],
  columns: {
    messages: 'messages is not the number of its messages',
    artifacts: 'artifacts is not the number of its artifacts',
  },
  derives: 'columns',
  query: sql.part`SELECT t.task_seq,
      (SELECT count(*) FROM a2a_message m WHERE m.task_seq = t.task_seq) AS messages,
      (SELECT count(*) FROM a2a_artifact a WHERE a.task_seq = t.task_seq) AS artifacts
    FROM a2a_task t`,
});

/** Up to 100 rows of open escrow of A2A without their task: nobody could accept them by A2A. */
const escrowWithoutTask = wrongRows(
  'escrow',
  'it is open, and no A2A task has it',
  sql.reported()`SELECT e.escrow_seq, 1 AS expected, NULL AS found
    FROM escrow e LEFT JOIN a2a_task t ON t.escrow_seq = e.escrow_seq
    WHERE e.purpose = 'a2a' AND e.status IN ('HELD', 'DELIVERED', 'DISPUTED') AND t.task_seq IS NULL LIMIT 100`,
);

/** Up to 100 replies whose task is not one with escrow, that their caller may see. */
const otherReplies = wrongRows(
  'a2a_last_reply',
  'its task is not one with escrow that its caller may see',
  sql.reported()`SELECT r.reply_seq, r.task_seq AS expected, NULL AS found
    FROM a2a_last_reply r LEFT JOIN a2a_task t ON t.task_seq = r.task_seq
    WHERE t.escrow_seq IS NULL OR t.operator_seq <> r.operator_seq
      OR (r.commitment IS NOT NULL AND t.commitment IS NOT r.commitment) LIMIT 100`,
);

/** The checks of tasks, of escrow for them, and of what replies named. */
export const taskChecks = [taskContents, otherTasks, escrowWithoutTask];
export const replyChecks = [otherReplies];

/** Up to 100 configurations of push notifications of another operator than their task's. */
const otherPushes = wrongValues(
  'a2a_push',
  ['push_seq'],
  { from: sql.part`a2a_push p LEFT JOIN a2a_task t ON t.task_seq = p.task_seq` },
  [
    {
      what: 'operator_seq is not that of its task',
      expected: sql.part`t.operator_seq`,
      found: sql.part`p.operator_seq`,
    },
    {
      what: 'form is none of its forms',
      expected: sql.part`CASE WHEN p.form IN ('0.1', '0.3', '1.0') THEN p.form ELSE 'a form' END`,
      found: sql.part`p.form`,
    },
  ],
);

/** The checks of the configurations of push notifications. */
export const pushChecks = [otherPushes];

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
