import { a2aArtifact, a2aLastReply, a2aMessage, a2aTask } from '../../../../db/trust/a2a.ts';
import { sqlOf } from '../../../platform/store/sql.ts';
import { runQuery, type Snapshot, type Transaction } from '../../../platform/store/transaction.ts';

const sql = sqlOf({ a2aTask, a2aMessage, a2aArtifact, a2aLastReply });

export type TaskRow = typeof a2aTask.$inferSelect;

/** Returns a task by the service's id (`a2a_` and 32 hexadecimal characters); null for an unknown one. */
export const taskById = sql.row(a2aTask)`WHERE task_id = ${'taskId'}`;

/** Returns an operator's task by the id that its client chose; null for an unknown one. */
export const taskByClientId = sql.row(a2aTask)`
  WHERE operator_seq = ${'operatorSeq'} AND client_id = ${'clientId'}`;

/**
 * Returns the task that received this message of a client after a time; null if there is none. `after`:
 * milliseconds since 1970.
 */
export const taskByRepetition = sql.row(a2aTask)`JOIN a2a_message USING (task_seq)
  WHERE repetition = ${'repetition'} AND a2a_message.created_at > ${'after:createdAt'}
  ORDER BY message_seq DESC LIMIT 1`;

const insertTaskRow = sql.insertReturning(a2aTask, ['taskSeq'], {
  without: ['taskSeq', 'messages', 'artifacts'],
});

/**
 * Inserts a task without messages.
 * @returns its number
 * @throws DuplicateRow for an id that the operator has used
 */
export async function insertTask(
  tx: Transaction,
  row: Omit<TaskRow, 'taskSeq' | 'messages' | 'artifacts'>,
): Promise<number> {
  return (await insertTaskRow(tx, row)).taskSeq;
}

/** Changes the state of a task. */
export const updateTask = sql.update(a2aTask, ['skill', 'input', 'state', 'escrowSeq', 'updatedAt'])`
  WHERE task_seq = ${'taskSeq'}`;

/** Appends a message to a task. */
export const insertMessage = sql.insert(a2aMessage, { without: ['messageSeq'] });

/** Appends a result to a task. */
export const insertArtifact = sql.insert(a2aArtifact, { without: ['artifactSeq'] });

const { content, createdAt } = a2aMessage;
const messagesOf = sql.joined({ content, createdAt }).rows`
  FROM a2a_message WHERE task_seq = ${'taskSeq'} ORDER BY message_seq DESC LIMIT ${'limit'}`;
const artifactsOf = sql.values(a2aArtifact.content)`WHERE task_seq = ${'taskSeq'} ORDER BY artifact_seq`;

/** A message as JSON, and when it was stored (milliseconds since 1970). */
export type WrittenMessage = Pick<typeof a2aMessage.$inferSelect, 'content' | 'createdAt'>;

/** What a task contains, as JSON, oldest first. */
export interface Written {
  messages: WrittenMessage[];
  artifacts: string[];
}

/** Returns the newest `limit` messages of a task and, if they are requested, its results. */
export function writtenOf(
  snapshot: Snapshot,
  { taskSeq, artifacts }: Pick<TaskRow, 'taskSeq' | 'artifacts'>,
  { limit, withArtifacts }: { limit: number; withArtifacts: boolean },
): Promise<Written> {
  return runQuery(snapshot, (connection) => ({
    messages: messagesOf.on(connection, { taskSeq, limit }).reverse(),
    artifacts: withArtifacts && artifacts > 0 ? artifactsOf.on(connection, taskSeq) : [],
  }));
}

const { taskSeq, messages, artifacts } = a2aTask;
/** Deletion waits for the end of a task that has escrow. */
const tasksBefore = sql.joined({ taskSeq, messages, artifacts }).rows`
  FROM a2a_task WHERE updated_at < ${'before:updatedAt'}
    AND (escrow_seq IS NULL OR state IN ('completed', 'canceled', 'failed', 'rejected'))
  ORDER BY updated_at LIMIT ${'limit'}`;
const deleteTasks = sql.run`
  DELETE FROM a2a_task WHERE task_seq IN (SELECT value FROM json_each(${'taskSeqs:list'}))`;

/**
 * Deletes tasks that last changed before a time and have no open escrow.
 * @param limit the rows after which it takes no further task: each has its messages and artifacts
 * @returns the number of deleted tasks
 */
export function deleteTasksBefore(tx: Transaction, before: number, limit: number): Promise<number> {
  return runQuery(tx, (connection) => {
    let left = limit;
    const deleted: number[] = [];
    for (const { taskSeq, messages, artifacts } of tasksBefore.on(connection, { before, limit })) {
      if (left <= 0) break;
      left -= 1 + messages + artifacts;
      deleted.push(taskSeq);
    }
    if (deleted.length > 0) deleteTasks.on(connection, deleted);
    return deleted.length;
  });
}

/** Who talks in a context: an operator with its issuer keys, or an agent with its holder keys. */
export interface Conversation {
  operatorSeq: number;
  /** The agent of a holder key; null for an issuer key. */
  commitment: string | null;
  contextId: string;
}

const OF_CONVERSATION = sql.part`operator_seq = ${'operatorSeq'} AND context_id = ${'contextId'}
  AND commitment IS NOT DISTINCT FROM ${'commitment?'}`;
const namedTask = sql.value(a2aLastReply.taskSeq)`WHERE ${OF_CONVERSATION}`;
const deleteLastReply = sql.run`DELETE FROM a2a_last_reply WHERE ${OF_CONVERSATION}`;
const insertLastReply = sql.insert(a2aLastReply, { without: ['replySeq'] });

/** Returns the task with escrow that the newest reply of a conversation named; null for none, or several. */
export async function taskOfLastReply(
  snapshot: Snapshot,
  conversation: Conversation,
): Promise<number | null> {
  return (await namedTask(snapshot, conversation)) ?? null;
}

/**
 * Replaces the task that the newest reply of a conversation named.
 * @param taskSeq null for none, or several
 */
export function setLastReply(
  tx: Transaction,
  conversation: Conversation,
  taskSeq: number | null,
): Promise<void> {
  return runQuery(tx, (connection) => {
    deleteLastReply.on(connection, conversation);
    if (taskSeq !== null) insertLastReply.on(connection, { ...conversation, taskSeq });
  });
}
