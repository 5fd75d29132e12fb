import { deactivation, deactivationList, reactivation } from '../../../db/staffing/imports.ts';
import { openReader } from '../../platform/store/connection.ts';
import { sqlOf } from '../../platform/store/sql.ts';
import { runQuery, type Snapshot, snapshotOf, type Transaction } from '../../platform/store/transaction.ts';

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

const sql = sqlOf({ deactivation, deactivationList, reactivation });

const newList = sql.insertReturning(deactivationList, ['list'], {
  without: ['list'],
  fixed: { inForce: false, registry: null },
});

/** Begins a list of deactivations that is not in force. `at`: RFC 3339. @returns its number */
export async function insertList(tx: Transaction, values: { asOf: string; at: string }): Promise<number> {
  return (await newList(tx, values)).list;
}

// Without WHERE, SQLite would read ON CONFLICT as the condition of a join.
const putDeactivations = sql.run`
  INSERT INTO deactivation (list, npi, deactivated_on)
  SELECT ${'list:deactivationList.list'}, value ->> 0, value ->> 1 FROM json_each(${'rows:text'}) WHERE true
  ON CONFLICT (list, npi) DO UPDATE SET deactivated_on = max(deactivated_on, excluded.deactivated_on)`;
const putReactivations = sql.run`
  INSERT INTO reactivation (npi, reactivated_on)
  SELECT value ->> 0, value ->> 1 FROM json_each(${'rows:text'}) WHERE true
  ON CONFLICT (npi) DO UPDATE SET reactivated_on = max(reactivated_on, excluded.reactivated_on)`;

/** Adds deactivations to a list; the later day counts for an NPI that is named twice. */
export async function addDeactivations(
  tx: Transaction,
  list: number,
  deactivations: readonly Deactivation[],
): Promise<void> {
  const rows = JSON.stringify(deactivations.map(({ npi, deactivatedOn }) => [npi, deactivatedOn]));
  await putDeactivations(tx, { list, rows });
}

/** Stores reactivations; the latest day of an NPI counts. */
export async function addReactivations(
  tx: Transaction,
  reactivations: readonly Reactivation[],
): Promise<void> {
  await putReactivations(
    tx,
    JSON.stringify(reactivations.map(({ npi, reactivatedOn }) => [npi, reactivatedOn])),
  );
}

/** Stores for which registry file a complete list was applied. */
export const setRegistryOfList = sql.run`
  UPDATE deactivation_list SET registry = ${'registry'} WHERE list = ${'list:deactivationList.list'}`;

const endForce = sql.run`UPDATE deactivation_list SET in_force = 0 WHERE in_force = 1`;
const putInForce = sql.run`
  UPDATE deactivation_list SET in_force = 1 WHERE list = ${'list:deactivationList.list'}`;

/** Puts a list in force instead of the previous one. */
export function putListInForce(tx: Transaction, list: number): Promise<void> {
  return runQuery(tx, (connection) => {
    endForce.on(connection);
    putInForce.on(connection, list);
  });
}

/** Returns all lists, including those that are not in force. */
export const deactivationLists = sql.rows(deactivationList, { scans: 'a few lists: old ones are deleted' })``;

/** Returns the deactivations of the list in force. */
export const deactivationsInForce = sql.joined({
  npi: deactivation.npi,
  deactivatedOn: deactivation.deactivatedOn,
}).rows`FROM deactivation_list JOIN deactivation USING (list) WHERE in_force = 1`;

/** Returns whether an NPI is deactivated by the list in force, and was not reactivated after it. */
export const isDeactivatedNow = sql.exists(deactivation)`
  JOIN deactivation_list USING (list) LEFT JOIN reactivation ON reactivation.npi = deactivation.npi
  WHERE deactivation.npi = ${'npi'} AND in_force = 1
    AND (reactivation.npi IS NULL OR reactivated_on <= deactivated_on) LIMIT 1`;

/** Returns all known reactivations. */
export const knownReactivations = sql.rows(reactivation, { scans: 'all are needed for an import' })``;

/** Deletes up to `limit` deactivations of a list. @returns how many it deleted */
export const deleteSomeDeactivations = sql.run`
  DELETE FROM deactivation WHERE list = ${'list:deactivationList.list'} AND npi IN (
    SELECT npi FROM deactivation WHERE list = ${'list:deactivationList.list'} LIMIT ${'limit'}
  )`;

/** Deletes a list without deactivations. */
export const deleteList = sql.run`
  DELETE FROM deactivation_list WHERE list = ${'list:deactivationList.list'}`;

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
