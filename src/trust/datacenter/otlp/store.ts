import { datacenterReading } from '../../../../db/trust/datacenter.ts';
import { wrongRows } from '../../../platform/audit/counts.ts';
import { sqlOf } from '../../../platform/store/sql.ts';
import { runQuery, type Snapshot, type Transaction } from '../../../platform/store/transaction.ts';
import { MAX_READING, type Reading } from './counters.ts';

const sql = sqlOf({ datacenterReading });
const { operatorSeq, source, series, time, value } = datacenterReading;

const OF_OWNER = sql.part`WHERE operator_seq = ${'operatorSeq'} AND source = ${'source'}`;
const ofOwner = sql.joined({ series, time, value }).rows`FROM datacenter_reading ${OF_OWNER}`;
const save = sql.insert(datacenterReading, {
  end: 'ON CONFLICT (operator_seq, source, series) DO UPDATE SET time = excluded.time, value = excluded.value',
});
const oldReadings = sql.joined({ operatorSeq, source, series }).rows`
  FROM datacenter_reading WHERE time < ${'before:time'} LIMIT ${'limit'}`;
const deleteReading = sql.run`DELETE FROM datacenter_reading ${OF_OWNER} AND series = ${'series'}`;

/** The owner of readings: an instance, as 16 bytes in hexadecimal, that an operator reports. */
export interface ReadingOwner {
  operatorSeq: number;
  source: string;
}

/** Returns the readings of an instance by series. A series is 16 bytes in hexadecimal. */
export async function readingsOf(snapshot: Snapshot, owner: ReadingOwner): Promise<Map<string, Reading>> {
  const rows = await ofOwner(snapshot, owner);
  return new Map(rows.map(({ series, ...reading }) => [series, reading]));
}

/** Stores newer readings of an instance, by series. */
export function saveReadings(
  tx: Transaction,
  owner: ReadingOwner,
  readings: ReadonlyMap<string, Reading>,
): Promise<void> {
  return runQuery(tx, (connection) => {
    for (const [series, reading] of readings) save.on(connection, { ...owner, series, ...reading });
  });
}

/**
 * Deletes some of the readings before a time in milliseconds since 1970.
 * @param limit the maximum
 * @returns how many
 */
export function deleteReadingsBefore(tx: Transaction, before: number, limit: number): Promise<number> {
  return runQuery(tx, (connection) => {
    const old = oldReadings.on(connection, { before, limit });
    for (const reading of old) deleteReading.on(connection, reading);
    return old.length;
  });
}

/** Finds up to 100 readings that no instrument can have. */
export const impossibleReadings = wrongRows(
  'datacenter_reading',
  'the reading is impossible',
  sql.reported({ scans: 'only fsck reads all readings' })`
    SELECT hex(source) AS source, hex(series) AS series,
      'a time since 2000 and a value of a meter' AS expected, time || ' ' || value AS found
    FROM datacenter_reading
    WHERE time < 946684800000 OR value > ${sql.verbatim(String(MAX_READING))} LIMIT 100`,
);
