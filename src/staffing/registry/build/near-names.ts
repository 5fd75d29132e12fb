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
  // In the order of the table, one beginning at a time: all spellings together take a gigabyte, those of one
  // first letter 300 MB.
  for (const [beginning, names] of byBeginning(commonNames(people, isSample ? COMMON.sample : COMMON.real))) {
    const rows = names.flatMap(({ name, clinicians }) =>
      spellingsOf(name)
        .filter((spelling) => beginningOf(spelling) === beginning)
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

/** Groups names by the beginnings of their spellings, in ascending order. */
function byBeginning(names: readonly CommonName[]): [beginning: string, names: CommonName[]][] {
  const groups = new Map<string, CommonName[]>();
  for (const one of names) {
    const [first = '', second = '', third = ''] = one.name;
    // Without a letter after the second, without the first letter, and without the second.
    for (const beginning of new Set([first + second, second + third, first + third])) {
      const group = groups.get(beginning) ?? [];
      group.push(one);
      groups.set(beginning, group);
    }
  }
  return [...groups].sort(([left], [right]) => (left < right ? -1 : 1));
}

/** Returns the first two letters. */
function beginningOf(spelling: string): string {
  const [first = '', second = ''] = spelling;
  return first + second;
}

/** Returns a name and its spellings that lack one letter, without duplicates. */
export function spellingsOf(name: string): string[] {
  const letters = [...name];
  return [...new Set([name, ...letters.map((_, index) => letters.toSpliced(index, 1).join(''))])];
}
