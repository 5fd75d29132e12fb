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

/**
 * Returns the most common surnames that begin with `beginning`, the most common first. Only surnames of
 * several clinicians are stored, so a rare one is never suggested. @param beginning folded
 */
export function commonSurnames(
  { connection: { sqlite } }: Pick<Registry, 'connection'>,
  beginning: string,
  limit: number,
): CommonSurname[] {
  // A name is stored under each of its spellings, of which the name is one.
  return sqlite
    .query<CommonSurname, [string, string, number]>(`
      SELECT name_key AS name, clinicians
      FROM (SELECT spelling, name_key, clinicians FROM near_name WHERE spelling >= ?1 AND spelling < ?2 LIMIT ${READ})
      WHERE spelling = name_key ORDER BY clinicians DESC, name_key LIMIT ?3
    `)
    .all(beginning, `${beginning}\u{10ffff}`, limit);
}
