import { and, eq, inArray, isNull, lte, or, sql } from 'drizzle-orm';
import { deactivation, deactivationList, reactivation } from '../../../db/staffing/imports.ts';
import { bound } from '../../platform/store/columns.ts';
import { openReader } from '../../platform/store/connection.ts';
import { type Snapshot, snapshotOf, statements, type Transaction } from '../../platform/store/transaction.ts';

const $ = sql.placeholder;

/** A report of deactivations. */
export type DeactivationList = typeof deactivationList.$inferSelect;

/** A deactivated NPI, with the day, YYYY-MM-DD. */
export interface Deactivation {
  npi: number;
  deactivatedOn: string;
}

/** An NPI that its clinician got back, with the day, YYYY-MM-DD. */
export interface Reactivation {
  npi: number;
  reactivatedOn: string;
}

const query = statements((orm) => ({
  newList: () =>
    orm
      .insert(deactivationList)
      .values({ asOf: $('asOf'), at: $('at'), inForce: false, registry: null })
      .returning({ list: deactivationList.list })
      .prepare(),
  // Without WHERE, SQLite would read ON CONFLICT as the condition of a join.
  addDeactivations: () =>
    orm
      .insert(deactivation)
      .select(sql`SELECT ${$('list')}, value ->> 0, value ->> 1 FROM json_each(${$('rows')}) WHERE true`)
      .onConflictDoUpdate({
        target: [deactivation.list, deactivation.npi],
        set: { deactivatedOn: sql`max(deactivated_on, excluded.deactivated_on)` },
      })
      .prepare(),
  addReactivations: () =>
    orm
      .insert(reactivation)
      .select(sql`SELECT value ->> 0, value ->> 1 FROM json_each(${$('rows')}) WHERE true`)
      .onConflictDoUpdate({
        target: reactivation.npi,
        set: { reactivatedOn: sql`max(reactivated_on, excluded.reactivated_on)` },
      })
      .prepare(),
  setRegistry: () =>
    orm
      .update(deactivationList)
      .set({ registry: sql`${$('registry')}` })
      .where(eq(deactivationList.list, bound(deactivationList.list, 'list')))
      .prepare(),
  endForce: () =>
    orm.update(deactivationList).set({ inForce: false }).where(eq(deactivationList.inForce, true)).prepare(),
  putInForce: () =>
    orm
      .update(deactivationList)
      .set({ inForce: true })
      .where(eq(deactivationList.list, bound(deactivationList.list, 'list')))
      .prepare(),
  lists: () => orm.select().from(deactivationList).prepare(),
  inForce: () =>
    orm
      .select({ npi: deactivation.npi, deactivatedOn: deactivation.deactivatedOn })
      .from(deactivationList)
      .innerJoin(deactivation, eq(deactivation.list, deactivationList.list))
      .where(eq(deactivationList.inForce, true))
      .prepare(),
  /** The deactivation of one NPI by the list in force, unless the NPI was reactivated after it. */
  ofNpi: () =>
    orm
      .select({ npi: deactivation.npi })
      .from(deactivation)
      .innerJoin(deactivationList, eq(deactivationList.list, deactivation.list))
      .leftJoin(reactivation, eq(reactivation.npi, deactivation.npi))
      .where(
        and(
          eq(deactivation.npi, bound(deactivation.npi, 'npi')),
          eq(deactivationList.inForce, true),
          or(isNull(reactivation.npi), lte(reactivation.reactivatedOn, deactivation.deactivatedOn)),
        ),
      )
      .prepare(),
  reactivations: () => orm.select().from(reactivation).prepare(),
  deleteSome: () => {
    const some = orm
      .select({ npi: deactivation.npi })
      .from(deactivation)
      .where(eq(deactivation.list, bound(deactivation.list, 'list')))
      .limit($('rows'));
    return orm
      .delete(deactivation)
      .where(and(eq(deactivation.list, bound(deactivation.list, 'list')), inArray(deactivation.npi, some)))
      .returning({ npi: deactivation.npi })
      .prepare();
  },
  deleteList: () =>
    orm
      .delete(deactivationList)
      .where(eq(deactivationList.list, bound(deactivationList.list, 'list')))
      .prepare(),
}));

/** Begins a list of deactivations that is not in force. `at`: RFC 3339. @returns its number */
export function insertList(tx: Transaction, values: { asOf: string; at: string }): Promise<number> {
  return query(tx, (sql) => sql.newList.get(values).list);
}

/** Adds deactivations to a list; the later day counts for an NPI that is named twice. */
export function addDeactivations(
  tx: Transaction,
  list: number,
  deactivations: readonly Deactivation[],
): Promise<void> {
  const rows = JSON.stringify(deactivations.map(({ npi, deactivatedOn }) => [npi, deactivatedOn]));
  return query(tx, (sql) => void sql.addDeactivations.run({ list, rows }));
}

/** Stores reactivations; the latest day of an NPI counts. */
export function addReactivations(tx: Transaction, reactivations: readonly Reactivation[]): Promise<void> {
  const rows = JSON.stringify(reactivations.map(({ npi, reactivatedOn }) => [npi, reactivatedOn]));
  return query(tx, (sql) => void sql.addReactivations.run({ rows }));
}

/** Stores for which registry file a complete list was applied. */
export function setRegistryOfList(tx: Transaction, list: number, registry: string): Promise<void> {
  return query(tx, (sql) => void sql.setRegistry.run({ list, registry }));
}

/** Puts a list in force instead of the previous one. */
export function putListInForce(tx: Transaction, list: number): Promise<void> {
  return query(tx, (sql) => {
    sql.endForce.run();
    sql.putInForce.run({ list });
  });
}

/** Returns all lists, including those that are not in force. */
export function deactivationLists(snapshot: Snapshot): Promise<DeactivationList[]> {
  return query(snapshot, (sql) => sql.lists.all());
}

/** Returns the deactivations of the list in force. */
export function deactivationsInForce(snapshot: Snapshot): Promise<Deactivation[]> {
  return query(snapshot, (sql) => sql.inForce.all());
}

/** Returns whether an NPI is deactivated by the list in force. */
export function isDeactivatedNow(snapshot: Snapshot, npi: number): Promise<boolean> {
  return query(snapshot, (sql) => sql.ofNpi.get({ npi }) !== undefined);
}

/** Returns all known reactivations. */
export function knownReactivations(snapshot: Snapshot): Promise<Reactivation[]> {
  return query(snapshot, (sql) => sql.reactivations.all());
}

/** Deletes up to `rows` deactivations of a list. @returns how many it deleted */
export function deleteSomeDeactivations(tx: Transaction, list: number, rows: number): Promise<number> {
  return query(tx, (sql) => sql.deleteSome.all({ list, rows }).length);
}

/** Deletes a list without deactivations. */
export function deleteList(tx: Transaction, list: number): Promise<void> {
  return query(tx, (sql) => void sql.deleteList.run({ list }));
}

/**
 * Runs `body` on a connection of its own to the service's database: for a Worker, which reads hundreds of
 * thousands of rows at once.
 * @param path the database file
 */
export async function onOwnConnection<T>(path: string, body: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  const connection = openReader(path);
  try {
    return await body(snapshotOf(connection));
  } finally {
    connection.sqlite.close();
  }
}
