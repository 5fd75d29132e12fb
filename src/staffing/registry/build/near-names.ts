import type { Database } from 'bun:sqlite';
import type { People } from './people.ts';

/** The number of clinicians that a surname needs to be suggested: of a rare one, a suggestion would tell who is in the registry. */
const COMMON = { real: 5, sample: 2 };
const SHORTEST = 3;
const LONGEST = 24;

/**
 * Writes the surnames of several clinicians with their spellings that lack one letter. Two names at a distance of one letter, or of two
 * exchanged letters, have a spelling in common (the deletions of SymSpell).
 */
export function writeNearNames(database: Database, people: People, isSample: boolean): void {
  const counts = new Uint32Array(people.names.texts.length);
  for (const name of people.surnameOf.values) counts[name] = (counts[name] ?? 0) + 1;
  const least = isSample ? COMMON.sample : COMMON.real;
  const rows: [spelling: string, name: string, clinicians: number][] = [];
  for (const [number, name] of people.names.texts.entries()) {
    const count = counts[number] ?? 0;
    if (count < least || name.length < SHORTEST || name.length > LONGEST) continue;
    for (const spelling of spellingsOf(name)) rows.push([spelling, name, count]);
  }
  rows.sort(([left, leftName], [right, rightName]) =>
    left === right ? (leftName < rightName ? -1 : 1) : left < right ? -1 : 1,
  );
  const insert = database.prepare('INSERT INTO near_name VALUES (?, ?, ?)');
  for (const row of rows) insert.run(...row);
  insert.finalize();
}

/** Returns a name and its spellings that lack one letter, without duplicates. */
export function spellingsOf(name: string): string[] {
  const letters = [...name];
  return [...new Set([name, ...letters.map((_, index) => letters.toSpliced(index, 1).join(''))])];
}
