import type { Database } from 'bun:sqlite';
import { FENCE, FIRST_NAME_BEGINNING, KIND, LIST, placeOf } from '../../../../db/staffing/registry/schema.ts';
import type { Labels } from '../entry.ts';
import { type EntryOrder, type Later, orderOf } from './order.ts';
import type { People } from './people.ts';
import { type Family, PostingWriter, writeFamily } from './postings.ts';
import { sortedBy } from './sorting.ts';

/** The texts of the public records, by number of clinician. */
export interface Texts {
  headOf(clinician: number): string;
  tailOf(clinician: number): string;
}

/** The numbers of what a file numbers once for all its segments. */
export interface Numbers {
  /** Returns the number of the list with a label; makes it at the first use. */
  list(label: string): number;
  /** Returns the number of a set of codes; makes it at the first use. */
  codes(joined: string): number;
}

/** The steps of writing, for a progress bar. `share`: from 0 to 1. */
export type Progress = (step: 'sort' | 'entries' | 'lists', share: number) => void;

/**
 * Writes a pair of segments: all rows of `segment`, `entry`, `fence`, `clinician` and `posting` with their numbers. The clinicians must
 * be distinct and must not exist in another segment, but as dead.
 */
export function writeSegmentPair(
  database: Database,
  even: number,
  people: People,
  texts: Texts,
  numbers: Numbers,
  labels: Labels,
  progress: Progress = () => undefined,
): void {
  progress('sort', 0);
  const order = orderOf(people);
  const odd = even + 1;
  const codes = people.codes.texts.map((joined) => numbers.codes(joined));
  const insertSegment = database.prepare('INSERT INTO segment VALUES (?, ?)');
  insertSegment.run(even, order.whole.length);
  insertSegment.run(odd, order.other.length);
  insertSegment.finalize();
  const entries = order.whole.length + order.other.length;
  const done = (ordinal: number): void => {
    if (ordinal % 65_536 === 0) progress('entries', ordinal / Math.max(entries, 1));
  };
  writeEntries(
    database,
    even,
    order.whole.length,
    (ordinal) => {
      done(ordinal);
      const clinician = order.whole[ordinal] ?? 0;
      return { clinician, name: people.surnameOf.at(clinician) };
    },
    people,
    texts,
    codes,
  );
  writeEntries(
    database,
    odd,
    order.other.length,
    (ordinal) => {
      done(order.whole.length + ordinal);
      const other = order.other[ordinal] ?? 0;
      return { clinician: people.otherOwners.at(other), name: people.otherNames.at(other) };
    },
    people,
    texts,
    codes,
  );
  writeClinicians(database, even, people, order);
  writeLists(
    database,
    even,
    order.whole.length,
    (ordinal) => order.whole[ordinal] ?? 0,
    people,
    numbers,
    labels,
    order.later.whole,
    progress,
  );
  writeLists(
    database,
    odd,
    order.other.length,
    (ordinal) => people.otherOwners.at(order.other[ordinal] ?? 0),
    people,
    numbers,
    labels,
    order.later.other,
    progress,
  );
  writeFirstParts(database, odd, people, order, numbers);
}

type EntryAt = (ordinal: number) => { clinician: number; name: number };

function writeEntries(
  database: Database,
  segment: number,
  entries: number,
  entryAt: EntryAt,
  people: People,
  texts: Texts,
  codes: readonly number[],
): void {
  const insert = database.prepare('INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?)');
  const fence = database.prepare('INSERT INTO fence VALUES (?, ?, ?, ?, ?)');
  for (let ordinal = 0; ordinal < entries; ordinal++) {
    const { clinician, name } = entryAt(ordinal);
    const nameKey = people.names.texts[name] ?? '';
    const firstKey = people.firsts.texts[people.firstOf.at(clinician)] ?? '';
    const npi = people.npis.at(clinician) + 1_000_000_000;
    insert.run(
      placeOf(segment, ordinal),
      nameKey,
      firstKey,
      npi,
      codes[people.codesOf.at(clinician)] ?? 0,
      texts.headOf(clinician),
      texts.tailOf(clinician),
    );
    if (ordinal % FENCE === 0) fence.run(segment, nameKey, firstKey, npi, ordinal);
  }
  insert.finalize();
  fence.finalize();
}

function writeClinicians(database: Database, even: number, people: People, order: EntryOrder): void {
  const insert = database.prepare('INSERT INTO clinician VALUES (?, ?, ?, ?)');
  for (const clinician of sortedBy(people.count, [(index) => people.npis.at(index)])) {
    const others = order.othersOf.get(clinician);
    insert.run(
      placeOf(even, people.npis.at(clinician)),
      order.wholeOrdinals[clinician] ?? 0,
      others === undefined
        ? null
        : JSON.stringify(
            others.map((one) => [
              people.names.texts[people.otherNames.at(one)] ?? '',
              people.otherKinds.at(one),
              order.otherOrdinals[one] ?? 0,
            ]),
          ),
      people.digestOf.at(clinician),
    );
  }
  insert.finalize();
}

function writeLists(
  database: Database,
  segment: number,
  entries: number,
  clinicianAt: (ordinal: number) => number,
  people: People,
  numbers: Numbers,
  labels: Labels,
  later: Later,
  progress: Progress,
): void {
  const writer = new PostingWriter(database, segment, entries);
  const families = familiesOf(people, clinicianAt, numbers, labels);
  for (const [index, family] of families.entries()) {
    progress('lists', index / families.length);
    writeFamily(writer, entries, family());
  }
  const { ordinals, previous } = later;
  const numbersOfLater = new Uint32Array(1 + 2 * ordinals.length);
  numbersOfLater[0] = ordinals.length;
  numbersOfLater.set(ordinals, 1);
  numbersOfLater.set(previous, 1 + ordinals.length);
  writer.writeNumbers(numbers.list(LIST.later), numbersOfLater);
  writer.close();
}

/** Returns the families of lists, each made when it is written: their lists take much memory. */
function familiesOf(
  people: People,
  clinicianAt: (ordinal: number) => number,
  numbers: Numbers,
  labels: Labels,
): readonly (() => Family)[] {
  const listed = (texts: readonly string[], labelsOf: (text: string) => readonly string[]): number[][] =>
    texts.map((text) => (text === '' ? [] : labelsOf(text).map((label) => numbers.list(label))));
  return [
    () => ({
      attributeOf: (ordinal) => people.codesOf.at(clinicianAt(ordinal)),
      lists: listed(people.codes.texts, (joined) => labels.of(joined).map(LIST.specialty)),
    }),
    () => ({
      attributeOf: (ordinal) => people.stateOf.at(clinicianAt(ordinal)),
      lists: listed(people.states.texts, (state) => [LIST.state(state)]),
    }),
    () => ({
      attributeOf: (ordinal) => people.cityOf.at(clinicianAt(ordinal)),
      lists: listed(people.cities.texts, (city) => [LIST.city(city)]),
    }),
    () => ({
      attributeOf: (ordinal) => people.postalOf.at(clinicianAt(ordinal)),
      lists: listed(people.postals.texts, (postal) => [LIST.postalCode(postal)]),
    }),
    () => ({
      attributeOf: (ordinal) => people.postalOf.at(clinicianAt(ordinal)),
      lists: listed(people.postals.texts, (postal) => [LIST.postalCode(postal.slice(0, 3))]),
    }),
    () => ({
      attributeOf: (ordinal) => people.firstOf.at(clinicianAt(ordinal)),
      lists: listed(people.firsts.texts, (first) => beginningsOf(first).map(LIST.firstName)),
    }),
  ];
}

/** Returns the beginnings of a first name that have lists. */
export function beginningsOf(firstKey: string): string[] {
  const characters = [...firstKey].slice(0, FIRST_NAME_BEGINNING);
  return characters.map((_, index) => characters.slice(0, index + 1).join(''));
}

function writeFirstParts(
  database: Database,
  odd: number,
  people: People,
  order: EntryOrder,
  numbers: Numbers,
): void {
  const ordinals: number[] = [];
  for (const [ordinal, other] of order.other.entries()) {
    if (people.otherKinds.at(other) === KIND.firstPart) ordinals.push(ordinal);
  }
  const writer = new PostingWriter(database, odd, order.other.length);
  writer.write(numbers.list(LIST.firstPart), Uint32Array.from(ordinals));
  writer.close();
}
