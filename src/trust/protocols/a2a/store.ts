import type { Statement } from 'bun:sqlite';
import { and, asc, desc, eq, gt, inArray, isNull, lt, or, sql } from 'drizzle-orm';
import { a2aArtifact, a2aMessage, a2aTask } from '../../../../db/trust/a2a.ts';
import type { TaskState } from '../../../../db/trust/a2a-enums.ts';
import { bound, everyColumn } from '../../../platform/store/columns.ts';
import {
  runQuery,
  type Snapshot,
  statements,
  type Transaction,
} from '../../../platform/store/transaction.ts';
import { hexToBytes } from '../../../proof/encoding/hex.ts';

export type TaskRow = typeof a2aTask.$inferSelect;
export type MessageRow = typeof a2aMessage.$inferSelect;
export type ArtifactRow = typeof a2aArtifact.$inferSelect;

/** The states of a task that deletion waits for, if it has escrow. */
const ENDED: TaskState[] = ['completed', 'canceled', 'failed', 'rejected'];

/** What an id of the service begins with, before its 32 hexadecimal characters. */
const TASK_PREFIX = 'a2a_';

const $ = sql.placeholder;

/** Selects TaskRow as drizzle would return it. */
export const SELECT_TASK = `
  SELECT task_seq AS taskSeq, '${TASK_PREFIX}' || lower(hex(task_id)) AS taskId, operator_seq AS operatorSeq, client_id AS clientId,
    nullif(lower(hex(commitment)), '') AS commitment, context_id AS contextId, skill, input, state, escrow_seq AS escrowSeq, messages,
    artifacts, created_at AS createdAt, updated_at AS updatedAt
  FROM a2a_task`;

const query = statements((orm, sqlite) => ({
  /** Prepared without drizzle, like those of messages and artifacts: every read of a task runs the three. */
  byId: (): Statement<TaskRow, [Uint8Array]> => sqlite.prepare(`${SELECT_TASK} WHERE task_id = +?`),
  byClientId: () =>
    orm
      .select()
      .from(a2aTask)
      .where(
        and(
          eq(a2aTask.operatorSeq, bound(a2aTask.operatorSeq, 'operatorSeq')),
          eq(a2aTask.clientId, bound(a2aTask.clientId, 'clientId')),
        ),
      )
      .prepare(),
  byRepetition: () =>
    orm
      .select({ task: a2aTask })
      .from(a2aMessage)
      .innerJoin(a2aTask, eq(a2aTask.taskSeq, a2aMessage.taskSeq))
      .where(
        and(
          eq(a2aMessage.repetition, bound(a2aMessage.repetition, 'repetition')),
          gt(a2aMessage.createdAt, bound(a2aMessage.createdAt, 'after')),
        ),
      )
      .orderBy(desc(a2aMessage.messageSeq))
      .limit(1)
      .prepare(),
  insertTask: () =>
    orm
      .insert(a2aTask)
      .values(everyColumn(a2aTask, ['taskSeq', 'messages', 'artifacts']))
      .returning({ taskSeq: a2aTask.taskSeq })
      .prepare(),
  update: () =>
    orm
      .update(a2aTask)
      .set({
        skill: sql`${$('skill')}`,
        input: sql`${$('input')}`,
        state: sql`${$('state')}`,
        escrowSeq: sql`${$('escrowSeq')}`,
        updatedAt: sql`${$('updatedAt')}`,
      })
      .where(eq(a2aTask.taskSeq, bound(a2aTask.taskSeq, 'taskSeq')))
      .prepare(),
  insertMessage: () =>
    orm
      .insert(a2aMessage)
      .values(everyColumn(a2aMessage, ['messageSeq']))
      .prepare(),
  insertArtifact: () =>
    orm
      .insert(a2aArtifact)
      .values(everyColumn(a2aArtifact, ['artifactSeq']))
      .prepare(),
  messages: (): Statement<WrittenMessage, [number, number]> =>
    sqlite.prepare(
      'SELECT content, created_at AS createdAt FROM a2a_message WHERE task_seq = +? ORDER BY message_seq DESC LIMIT +?',
    ),
  artifacts: (): Statement<Content, [number]> =>
    sqlite.prepare('SELECT content FROM a2a_artifact WHERE task_seq = +? ORDER BY artifact_seq'),
}));

interface Content {
  content: string;
}

/** A message as JSON, and when it was stored (milliseconds since 1970). */
type WrittenMessage = Pick<MessageRow, 'content' | 'createdAt'>;

/** Returns a task by the service's id (`a2a_` and 32 hexadecimal characters); null for an unknown one. */
export function taskById(snapshot: Snapshot, taskId: string): Promise<TaskRow | null> {
  const bytes = hexToBytes(taskId.slice(TASK_PREFIX.length));
  return query(snapshot, (sql) => sql.byId.get(bytes));
}

/** Returns an operator's task by the id that its client chose; null for an unknown one. */
export function taskByClientId(
  snapshot: Snapshot,
  operatorSeq: number,
  clientId: string,
): Promise<TaskRow | null> {
  return query(snapshot, (sql) => sql.byClientId.get({ operatorSeq, clientId }) ?? null);
}

/**
 * Returns the task that received this message of a client after a time; null if there is none.
 * @param after milliseconds since 1970
 */
export function taskByRepetition(
  snapshot: Snapshot,
  repetition: string,
  after: number,
): Promise<TaskRow | null> {
  return query(snapshot, (sql) => sql.byRepetition.get({ repetition, after })?.task ?? null);
}

/**
 * Inserts a task without messages.
 * @returns its number
 * @throws DuplicateRow for an id that the operator has used
 */
export function insertTask(
  tx: Transaction,
  row: Omit<TaskRow, 'taskSeq' | 'messages' | 'artifacts'>,
): Promise<number> {
  return query(tx, (sql) => {
    const inserted = sql.insertTask.get(row);
    if (inserted === undefined) throw new Error('the inserted task has no number');
    return inserted.taskSeq;
  });
}

/** Changes the state of a task. */
export function updateTask(
  tx: Transaction,
  row: Pick<TaskRow, 'taskSeq' | 'skill' | 'input' | 'state' | 'escrowSeq' | 'updatedAt'>,
): Promise<void> {
  return query(tx, (sql) => void sql.update.run(row));
}

/** Appends a message to a task. */
export function insertMessage(tx: Transaction, row: Omit<MessageRow, 'messageSeq'>): Promise<void> {
  return query(tx, (sql) => void sql.insertMessage.run(row));
}

/** Appends a result to a task. */
export function insertArtifact(tx: Transaction, row: Omit<ArtifactRow, 'artifactSeq'>): Promise<void> {
  return query(tx, (sql) => void sql.insertArtifact.run(row));
}

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
  return query(snapshot, (sql) => ({
    messages: sql.messages.all(taskSeq, limit).reverse(),
    artifacts: withArtifacts && artifacts > 0 ? sql.artifacts.all(taskSeq).map(({ content }) => content) : [],
  }));
}

/**
 * Deletes tasks that last changed before a time and have no open escrow.
 * @param limit the rows after which it takes no further task: each has its messages and artifacts
 * @returns the number of deleted tasks
 */
export function deleteTasksBefore(tx: Transaction, before: number, limit: number): Promise<number> {
  return runQuery(tx, ({ orm }) => {
    const old = orm
      .select({ taskSeq: a2aTask.taskSeq, messages: a2aTask.messages, artifacts: a2aTask.artifacts })
      .from(a2aTask)
      .where(and(lt(a2aTask.updatedAt, before), or(isNull(a2aTask.escrowSeq), inArray(a2aTask.state, ENDED))))
      .orderBy(asc(a2aTask.updatedAt))
      .limit(limit)
      .all();
    let left = limit;
    const deleted: number[] = [];
    for (const { taskSeq, messages, artifacts } of old) {
      if (left <= 0) break;
      left -= 1 + messages + artifacts;
      deleted.push(taskSeq);
    }
    if (deleted.length > 0) orm.delete(a2aTask).where(inArray(a2aTask.taskSeq, deleted)).run();
    return deleted.length;
  });
}
