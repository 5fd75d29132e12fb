import {
  FENCE,
  FIRST_NAME_BEGINNING,
  KIND,
  LIST,
  LOWEST_NPI,
  placeOf,
} from '../../../../db/staffing/registry/schema.ts';
import { RowMemory } from '../../../platform/memory/row-memory.ts';
import type { Connection } from '../../../platform/store/connection.ts';
import type { Labels } from '../entry.ts';
import type { Growing } from './growing.ts';
import type { Interned } from './interned.ts';
import { type EntryOrder, type Later, orderOf } from './order.ts';
import type { People } from './people.ts';
import { type Family, PostingWriter, writeFamily } from './postings.ts';
import { sortedBy } from './sorting.ts';
import { insertSegment } from './store.ts';

/**
 * Is called with the texts of a clinician as UTF-8, which are valid until it returns. `index`: the place in
 * the order that was asked for.
 */
export type VisitTexts = (index: number, clinician: number, head: Uint8Array, tail: Uint8Array) => void;

/** The texts of the public records, by number of clinician. */
export interface Texts {
  /**
   * Visits the texts of clinicians in the given order: all of them once, or any of them, also several times.
   */
  each(clinicians: Uint32Array, visit: VisitTexts): void;
}

/** The numbers of what a file numbers once for all its segments. */
export interface Numbers {
  /** Returns the number of the list with a label; makes it at the first use. */
  list(label: string): number;
  /** Returns the number of a set of codes; makes it at the first use. */
  codes(joined: string): number;
}

/** The steps of writing, for a progress bar. `share`: from 0 to 1. */
export type Progress = (
  step: 'sort' | 'entries' | 'lists' | 'near names' | 'history' | 'check' | 'sync',
  share: number,
) => void;

/**
 * Writes a pair of segments: all rows of `segment`, `entry`, `fence`, `clinician` and `posting` with their
 * numbers. The clinicians must be distinct and must not exist in another segment, but as dead.
 */
export function writeSegmentPair(
  connection: Connection,
  even: number,
  people: People,
  texts: Texts,
  numbers: Numbers,
  labels: Labels,
  progress: Progress = () => undefined,
): void {
  progress('sort', 0);
  const order = orderOf(people);
  const codes = new Uint32Array(people.codes.size);
  for (let set = 0; set < codes.length; set++) codes[set] = numbers.codes(people.codes.textOf(set));
  const whole: Side = {
    segment: even,
    clinicians: order.whole,
    nameOf: (ordinal) => people.surnameOf.at(order.whole[ordinal] ?? 0),
    later: order.later.whole,
  };
  const other: Side = {
    segment: even + 1,
    clinicians: order.other.map((one) => people.otherOwners.at(one)),
    nameOf: (ordinal) => people.otherNames.at(order.other[ordinal] ?? 0),
    later: order.later.other,
  };
  const all = whole.clinicians.length + other.clinicians.length;
  for (const { segment, clinicians } of [whole, other]) {
    insertSegment.on(connection, { segment, entries: clinicians.length });
  }
  let done = 0;
  for (const side of [whole, other]) {
    writeEntries(connection, side, people, texts, codes, () => {
      if (done++ % 65_536 === 0) progress('entries', done / all);
    });
  }
  writeClinicians(connection, even, people, order);
  for (const side of [whole, other]) writeLists(connection, side, people, numbers, labels, progress);
  writeFirstParts(connection, even + 1, people, order, numbers);
}

/** One segment of the pair. */
interface Side {
  segment: number;
  /** The clinician of each entry. */
  clinicians: Uint32Array;
  /** Returns the number of an entry's name in `People.names`. */
  nameOf(ordinal: number): number;
  later: Later;
}

function writeEntries(
  connection: Connection,
  { segment, clinicians, nameOf }: Side,
  people: People,
  texts: Texts,
  codes: Uint32Array,
  written: () => void,
): void {
  // Prepared with SQLite itself, as for all tables that get millions of rows: statements of a store take a
  // fifth to a third longer for each. Texts come as bytes: making strings of them takes longer than writing.
  const insert = connection.sqlite.prepare(
    'INSERT INTO entry VALUES (?, ?, ?, ?, ?, CAST(? AS TEXT), CAST(? AS TEXT))',
  );
  const fence = connection.sqlite.prepare('INSERT INTO fence VALUES (?, ?, ?, ?, ?)');
  const memory = new RowMemory();
  texts.each(clinicians, (ordinal, clinician, head, tail) => {
    const nameKey = people.names.textOf(nameOf(ordinal));
    const firstKey = people.firsts.textOf(people.firstOf.at(clinician));
    const npi = people.npis.at(clinician) + LOWEST_NPI;
    const place = placeOf(segment, ordinal);
    insert.run(place, nameKey, firstKey, npi, codes[people.codesOf.at(clinician)] ?? 0, head, tail);
    if (ordinal % FENCE === 0) fence.run(segment, nameKey, firstKey, npi, ordinal);
    memory.used();
    written();
  });
  insert.finalize();
  fence.finalize();
}

function writeClinicians(connection: Connection, even: number, people: People, order: EntryOrder): void {
  const insert = connection.sqlite.prepare('INSERT INTO clinician VALUES (?, ?, ?, ?)');
  const memory = new RowMemory();
  for (const clinician of sortedBy(people.count, [(index) => people.npis.at(index)])) {
    insert.run(
      placeOf(even, people.npis.at(clinician)),
      order.wholeOrdinals[clinician] ?? 0,
      othersText(people, order, clinician),
      people.digestOf.at(clinician),
    );
    memory.used();
  }
  insert.finalize();
}

/** Returns `clinician.others` of the schema. */
function othersText(people: People, { otherOrdinals }: EntryOrder, clinician: number): string | null {
  const others = people.othersOf(clinician);
  if (others.length === 0) return null;
  return JSON.stringify(
    others.map((one) => [
      people.names.textOf(people.otherNames.at(one)),
      people.otherKinds.at(one),
      otherOrdinals[one] ?? 0,
    ]),
  );
}

function writeLists(
  connection: Connection,
  { segment, clinicians, later }: Side,
  people: People,
  numbers: Numbers,
  labels: Labels,
  progress: Progress,
): void {
  const entries = clinicians.length;
  const clinicianAt = (ordinal: number): number => clinicians[ordinal] ?? 0;
  const writer = new PostingWriter(connection, segment, entries);
  const memory = new RowMemory();
  const families = familiesOf(people, clinicianAt, numbers, labels);
  for (const [index, family] of families.entries()) {
    progress('lists', index / families.length);
    writeFamily(writer, entries, family());
    memory.used(entries);
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
  const family =
    (of: Growing<Uint8Array | Uint32Array>, texts: Interned, labelsOf: (text: string) => readonly string[]) =>
    (): Family => ({
      attributes: texts.size,
      attributeOf: (ordinal) => of.at(clinicianAt(ordinal)),
      listsOf: (attribute) => {
        const text = texts.textOf(attribute);
        return text === '' ? [] : labelsOf(text).map((label) => numbers.list(label));
      },
    });
  return [
    family(people.codesOf, people.codes, (joined) => labels.of(joined).map(LIST.specialty)),
    family(people.stateOf, people.states, (state) => [LIST.state(state)]),
    family(people.cityOf, people.cities, (city) => [LIST.city(city)]),
    family(people.postalOf, people.postals, (postal) => [LIST.postalCode(postal)]),
    family(people.postalOf, people.postals, (postal) => [LIST.postalCode(postal.slice(0, 3))]),
    family(people.firstOf, people.firsts, (first) => beginningsOf(first).map(LIST.firstName)),
  ];
}

/** Returns the beginnings of a first name that have lists. */
function beginningsOf(firstKey: string): string[] {
  const characters = [...firstKey].slice(0, FIRST_NAME_BEGINNING);
  return characters.map((_, index) => characters.slice(0, index + 1).join(''));
}

function writeFirstParts(
  connection: Connection,
  odd: number,
  people: People,
  order: EntryOrder,
  numbers: Numbers,
): void {
  const ordinals: number[] = [];
  for (const [ordinal, other] of order.other.entries()) {
    if (people.otherKinds.at(other) === KIND.firstPart) ordinals.push(ordinal);
  }
  const writer = new PostingWriter(connection, odd, order.other.length);
  writer.write(numbers.list(LIST.firstPart), Uint32Array.from(ordinals));
  writer.close();
}
