import { and, desc, eq, gte, lt, sql } from 'drizzle-orm';
import { agent } from '../../../db/trust/agents.ts';
import { credential, statusList } from '../../../db/trust/credentials.ts';
import { datacenterCluster } from '../../../db/trust/datacenter.ts';
import { operator } from '../../../db/trust/operators.ts';
import { bound, everyColumn } from '../../platform/store/columns.ts';
import { type Snapshot, statements, type Transaction } from '../../platform/store/transaction.ts';

const $ = sql.placeholder;

const query = statements((orm) => ({
  byNumber: () =>
    orm
      .select()
      .from(statusList)
      .where(eq(statusList.listSeq, bound(statusList.listSeq, 'listSeq')))
      .prepare(),
  newestOfKey: () =>
    orm
      .select()
      .from(statusList)
      .where(
        sql`${eq(statusList.keySeq, bound(statusList.keySeq, 'keySeq'))}
        ORDER BY ${desc(statusList.listSeq)} LIMIT 1`,
      )
      .prepare(),
  insert: () =>
    orm
      .insert(statusList)
      .values(everyColumn(statusList, ['listSeq'], { issued: 0, revoked: 0, deleted: 0 }))
      .returning()
      .prepare(),
  count: () =>
    orm
      .update(statusList)
      .set({
        issued: sql`${statusList.issued} + 1`,
        validUntil: sql`max(${statusList.validUntil}, ${$('validUntil')})`,
      })
      .where(eq(statusList.listSeq, bound(statusList.listSeq, 'listSeq')))
      .prepare(),
  /** The revoked entries of a range of a list: revoked themselves, or with their agent or cluster owner. */
  revoked: () =>
    orm
      .select({ listIndex: credential.listIndex })
      .from(credential)
      .leftJoin(agent, eq(agent.agentSeq, credential.agentSeq))
      .leftJoin(datacenterCluster, eq(datacenterCluster.clusterSeq, credential.clusterSeq))
      .leftJoin(operator, eq(operator.operatorSeq, datacenterCluster.operatorSeq))
      .where(
        and(
          eq(credential.listSeq, bound(credential.listSeq, 'listSeq')),
          gte(credential.listIndex, bound(credential.listIndex, 'from')),
          lt(credential.listIndex, bound(credential.listIndex, 'to')),
          sql`(${credential.revokedAt} IS NOT NULL OR ${agent.state} = 'REVOKED' OR ${operator.accountStatus} <> 'ACTIVE')`,
        ),
      )
      .prepare(),
}));

/** A status list's row. */
export type StatusListRow = typeof statusList.$inferSelect;

/** Returns a status list by its number; null if there is none. */
export function statusListBy(snapshot: Snapshot, listSeq: number): Promise<StatusListRow | null> {
  return query(snapshot, (sql) => sql.byNumber.get({ listSeq }) ?? null);
}

/** Returns the list that was opened last for a key; null if there is none. */
export function newestListOf(snapshot: Snapshot, keySeq: number): Promise<StatusListRow | null> {
  return query(snapshot, (sql) => sql.newestOfKey.get({ keySeq }) ?? null);
}

/** Opens an empty list of a key. @param validUntil RFC 3339 */
export function insertList(tx: Transaction, keySeq: number, validUntil: string): Promise<StatusListRow> {
  return query(tx, (sql) => sql.insert.get({ keySeq, validUntil }));
}

/** Counts a credential in its list. @param validUntil its end, RFC 3339 */
export function countInList(tx: Transaction, listSeq: number, validUntil: string): Promise<void> {
  return query(tx, (sql) => void sql.count.run({ listSeq, validUntil }));
}

/** Returns the revoked entries of a list from one index to another, exclusive. */
export function revokedEntries(
  snapshot: Snapshot,
  listSeq: number,
  from: number,
  to: number,
): Promise<number[]> {
  return query(snapshot, (sql) => sql.revoked.all({ listSeq, from, to }).map(({ listIndex }) => listIndex));
}
