import { and, eq, lt, sql } from 'drizzle-orm';
import { datacenterReading } from '../../../../db/trust/datacenter.ts';
import { wrongRows } from '../../../platform/audit/counts.ts';
import { bound, everyColumn } from '../../../platform/store/columns.ts';
import { type Snapshot, statements, type Transaction } from '../../../platform/store/transaction.ts';
import type { Problem } from '../../../proof/log/problem.ts';
import { MAX_READING, type Reading } from './counters.ts';

/** The owner of readings: an instance, as 16 bytes in hexadecimal, that an operator reports. */
export interface ReadingOwner {
  operatorSeq: number;
  source: string;
}

const { operatorSeq, source, series, time, value } = datacenterReading;
const OWN = and(eq(operatorSeq, bound(operatorSeq, 'operatorSeq')), eq(source, bound(source, 'source')));

const query = statements((orm) => ({
  ofOwner: () => orm.select({ series, time, value }).from(datacenterReading).where(OWN).prepare(),
  save: () =>
    orm
      .insert(datacenterReading)
      .values(everyColumn(datacenterReading))
      .onConflictDoUpdate({
        target: [operatorSeq, source, series],
        set: { time: sql`excluded.time`, value: sql`excluded.value` },
      })
      .prepare(),
  before: () =>
    orm
      .select({ operatorSeq, source, series })
      .from(datacenterReading)
      .where(lt(time, bound(time, 'before')))
      .limit(sql.placeholder('rows'))
      .prepare(),
  delete: () =>
    orm
      .delete(datacenterReading)
      .where(and(OWN, eq(series, bound(series, 'series'))))
      .prepare(),
}));

/** Returns the readings of an instance by series. A series is 16 bytes in hexadecimal. */
export function readingsOf(snapshot: Snapshot, owner: ReadingOwner): Promise<Map<string, Reading>> {
  return query(
    snapshot,
    (sql) => new Map(sql.ofOwner.all({ ...owner }).map(({ series, ...reading }) => [series, reading])),
  );
}

/** Stores newer readings of an instance, by series. */
export function saveReadings(
  tx: Transaction,
  owner: ReadingOwner,
  readings: ReadonlyMap<string, Reading>,
): Promise<void> {
  return query(tx, (sql) => {
    for (const [series, reading] of readings) sql.save.run({ ...owner, series, ...reading });
  });
}

/**
 * Deletes some of the readings before a time in milliseconds since 1970.
 * @param rows the maximum
 * @returns how many
 */
export function deleteReadingsBefore(tx: Transaction, before: number, rows: number): Promise<number> {
  return query(tx, (sql) => {
    const old = sql.before.all({ before, rows });
    for (const reading of old) sql.delete.run(reading);
    return old.length;
  });
}

/** Returns the readings that no instrument can have. */
export function wrongReadings(snapshot: Snapshot): Promise<Problem[]> {
  return wrongRows(
    snapshot,
    'datacenter_reading',
    'the reading is impossible',
    `SELECT hex(source) AS source, hex(series) AS series, 'a time since 2000 and a value of a meter' AS expected, time || ' ' || value AS found
     FROM datacenter_reading WHERE time < 946684800000 OR value > ${MAX_READING} LIMIT 100`,
  );
}
