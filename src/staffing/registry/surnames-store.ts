import { nearName } from '../../../db/staffing/registry/tables.ts';
import { sqlOf } from '../../platform/store/sql.ts';
import type { Registry } from './open.ts';

/** A surname, folded, and the number of clinicians who have it. */
export interface CommonSurname {
  name: string;
  clinicians: number;
}

/**
 * The rows that a search for a beginning reads at most: about 3 ms. Only beginnings of two letters can have
 * more.
 */
const READ = 20_000;

const sql = sqlOf({ nearName });

/** A name is stored under each of its spellings, of which the name is one. */
const namesBetween = sql.joined(
  { name: sql.text`name_key`, clinicians: sql.number`clinicians` },
  { scans: `sorts the names of up to ${READ} spellings` },
).rows`
  FROM (
    SELECT spelling, name_key, clinicians FROM near_name
    WHERE spelling >= ${'from:spelling'} AND spelling < ${'end:spelling'} LIMIT ${sql.verbatim(String(READ))}
  )
  WHERE spelling = name_key ORDER BY clinicians DESC, name_key LIMIT ${'limit'}`;

/**
 * Returns the most common surnames that begin with `beginning`, the most common first. Only surnames of
 * several clinicians are stored, so a rare one is never suggested. @param beginning folded
 */
export function commonSurnames(
  { connection }: Pick<Registry, 'connection'>,
  beginning: string,
  limit: number,
): CommonSurname[] {
  return namesBetween.on(connection, { from: beginning, end: `${beginning}\u{10ffff}`, limit });
}
