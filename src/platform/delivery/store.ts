import { and, asc, count, desc, eq, inArray, isNotNull, lt, min, sql } from 'drizzle-orm';
import { bound, everyColumn } from '../store/columns.ts';
import { statements } from '../store/transaction.ts';
import type { Outbox } from './outbox.ts';
import { delivery } from './table.ts';

const { deliverySeq, endpoint, endedAt } = delivery;

/**
 * Pending rows have a date here. The partial index covers only these, and SQLite uses it only with this
 * column.
 */
const nextAttemptAt = sql<string>`${delivery.nextAttemptAt}`;
const waiting = and(isNotNull(delivery.nextAttemptAt), eq(endpoint, bound(endpoint, 'endpoint')));

const query = statements((orm) => ({
  add: () =>
    orm
      .insert(delivery)
      .values(
        everyColumn(delivery, ['deliverySeq', 'endedAt', 'lastStatus', 'lastError'], {
          state: 'pending',
          attempts: 0,
          nextAttemptAt: sql.placeholder('createdAt'),
        }),
      )
      .prepare(),
  endpoints: () =>
    orm
      .select({ endpoint, dueAt: sql<string>`${min(delivery.nextAttemptAt)}` })
      .from(delivery)
      .where(isNotNull(delivery.nextAttemptAt))
      .groupBy(endpoint)
      .prepare(),
  countPending: () =>
    orm.select({ pending: count() }).from(delivery).where(isNotNull(delivery.nextAttemptAt)).prepare(),
  next: () =>
    orm
      .select({
        deliverySeq,
        deliveryId: delivery.deliveryId,
        eventType: delivery.eventType,
        body: delivery.body,
        attempts: delivery.attempts,
        nextAttemptAt,
      })
      .from(delivery)
      .where(waiting)
      .orderBy(asc(delivery.nextAttemptAt), asc(deliverySeq))
      .limit(sql.placeholder('limit'))
      .prepare(),
  newest: () =>
    orm
      .select({
        deliveryId: delivery.deliveryId,
        endpoint,
        eventType: delivery.eventType,
        state: delivery.state,
        attempts: delivery.attempts,
        nextAttemptAt: delivery.nextAttemptAt,
        createdAt: delivery.createdAt,
        endedAt,
        lastStatus: delivery.lastStatus,
        lastError: delivery.lastError,
      })
      .from(delivery)
      .where(eq(delivery.owner, bound(delivery.owner, 'owner')))
      .orderBy(desc(deliverySeq))
      .limit(sql.placeholder('limit'))
      .prepare(),
  record: () =>
    orm
      .update(delivery)
      .set({
        state: sql`${sql.placeholder('state')}`,
        url: sql`${sql.placeholder('url')}`,
        attempts: sql`${sql.placeholder('attempts')}`,
        nextAttemptAt: sql`${sql.placeholder('nextAttemptAt')}`,
        endedAt: sql`${sql.placeholder('endedAt')}`,
        lastStatus: sql`${sql.placeholder('lastStatus')}`,
        lastError: sql`${sql.placeholder('lastError')}`,
      })
      .where(and(eq(deliverySeq, bound(deliverySeq, 'deliverySeq')), isNotNull(delivery.nextAttemptAt)))
      .returning({ deliverySeq })
      .prepare(),
  giveUp: () =>
    orm
      .update(delivery)
      .set({
        state: 'failed',
        nextAttemptAt: null,
        endedAt: sql`${sql.placeholder('endedAt')}`,
        lastError: sql`${sql.placeholder('error')}`,
      })
      .where(
        inArray(
          deliverySeq,
          orm.select({ deliverySeq }).from(delivery).where(waiting).limit(sql.placeholder('limit')),
        ),
      )
      .returning({ deliverySeq })
      .prepare(),
  deleteEnded: () =>
    orm
      .delete(delivery)
      .where(
        inArray(
          deliverySeq,
          orm
            .select({ deliverySeq })
            .from(delivery)
            .where(lt(endedAt, bound(endedAt, 'before')))
            .limit(sql.placeholder('limit')),
        ),
      )
      .returning({ deliverySeq })
      .prepare(),
}));

/** The outbox of a database with the table of `outbox.sql`. */
export const outbox: Outbox = {
  add: (tx, row) => query(tx, (sql) => void sql.add.run({ ...row })),
  endpoints: (snapshot) => query(snapshot, (sql) => sql.endpoints.all()),
  countPending: (snapshot) => query(snapshot, (sql) => sql.countPending.get()?.pending ?? 0),
  pending: (snapshot, of, limit) => query(snapshot, (sql) => sql.next.all({ endpoint: of, limit })),
  record: (tx, seq, attempt) => query(tx, (sql) => void sql.record.all({ deliverySeq: seq, ...attempt })),
  newest: (snapshot, owner, limit) => query(snapshot, (sql) => sql.newest.all({ owner, limit })),
  giveUp: (tx, of, error, at, limit) =>
    query(tx, (sql) => sql.giveUp.all({ endpoint: of, error, endedAt: at, limit }).length),
  deleteEnded: (tx, before, limit) => query(tx, (sql) => sql.deleteEnded.all({ before, limit }).length),
};
