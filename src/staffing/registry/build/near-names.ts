import { RowMemory } from '../../../platform/memory/row-memory.ts';
import type { Connection } from '../../../platform/store/connection.ts';
import type { People } from './people.ts';

/**
 * The number of clinicians that a surname needs to be suggested: of a rare one, a suggestion would tell who
 * is in the registry.
 */
const COMMON = { real: 5, sample: 2 };
const SHORTEST = 3;
const LONGEST = 24;

/**
 * Writes the surnames of several clinicians with their spellings that lack one letter. Two names at a
 * distance of one letter, or of two exchanged letters, have a spelling in common (the deletions of SymSpell).
 */
export function writeNearNames({ sqlite }: Connection, people: People, isSample: boolean): void {
  // See `writeEntries`.
  const insert = sqlite.prepare('INSERT INTO near_name VALUES (?, ?, ?)');
  const memory = new RowMemory();
  // In the order of the table, one first letter at a time: all spellings together take hundreds of megabytes.
  for (const [first, names] of byFirstLetter(commonNames(people, isSample ? COMMON.sample : COMMON.real))) {
    const rows = names.flatMap(({ name, clinicians }) =>
      spellingsOf(name)
        .filter((spelling) => spelling.startsWith(first))
        .map((spelling): Row => [spelling, name, clinicians]),
    );
    rows.sort(([left, leftName], [right, rightName]) =>
      left === right ? (leftName < rightName ? -1 : 1) : left < right ? -1 : 1,
    );
    for (const row of rows) insert.run(...row);
    memory.used(rows.length);
  }
  insert.finalize();
}

type Row = [spelling: string, name: string, clinicians: number];

interface CommonName {
  name: string;
  /** The number of clinicians. */
  clinicians: number;
}

/** Returns the surnames that at least so many clinicians have. */
function commonNames(people: People, least: number): CommonName[] {
  const counts = new Uint32Array(people.names.size);
  for (let clinician = 0; clinician < people.count; clinician++) {
    const name = people.surnameOf.at(clinician);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  const names: CommonName[] = [];
  for (const [number, clinicians] of counts.entries()) {
    if (clinicians < least) continue;
    const name = people.names.textOf(number);
    if (name.length >= SHORTEST && name.length <= LONGEST) names.push({ name, clinicians });
  }
  return names;
}

/**
 * Groups names by the first letters of their spellings, which are the name's first and second letter, in
 * ascending order.
 */
function byFirstLetter(names: readonly CommonName[]): [first: string, names: CommonName[]][] {
  const groups = new Map<string, CommonName[]>();
  for (const one of names) {
    for (const first of new Set([...one.name].slice(0, 2))) {
      const group = groups.get(first) ?? [];
      group.push(one);
      groups.set(first, group);
    }
  }
  return [...groups].sort(([left], [right]) => (left < right ? -1 : 1));
}

/** Returns a name and its spellings that lack one letter, without duplicates. */
export function spellingsOf(name: string): string[] {
  const letters = [...name];
  return [...new Set([name, ...letters.map((_, index) => letters.toSpliced(index, 1).join(''))])];
}
