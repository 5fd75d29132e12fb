import { LIST } from '../../../../db/staffing/registry/schema.ts';
import { compareTexts } from '../order-of-texts.ts';
import { type ListIn, type ListStore, smallList } from './lists-store.ts';
import type { OrdinalStore, PagePosition } from './ordinals-store.ts';
import type { FoundRow, RowStore, Segment } from './rows-store.ts';
import { countMatches, firstMatches, type LaterEntries, type SegmentQuestion } from './segment-search.ts';

export type { PagePosition } from './ordinals-store.ts';
export type { FoundRow } from './rows-store.ts';

/** What a search asks of a registry file. */
export interface Question {
  /** The labels of lists of which a clinician must be in all. */
  labels: readonly string[];
  /** The names to search; null for all clinicians, in order of their whole surnames. */
  names: NameRange | null;
  /** Folded: what the first name begins with, if that is longer than any list; else null. */
  firstName: string | null;
  /** Only these clinicians; null for any. */
  npis: readonly number[] | null;
}

/**
 * Names from here (inclusive) to there (exclusive). `exact`: also first parts of surnames; the range has one
 * name.
 */
export interface NameRange {
  from: string;
  before: string;
  exact: boolean;
}

/** A page: its rows in order, and whether more follow. `last` is the last position that was looked at. */
export interface FoundPage {
  rows: FoundRow[];
  last: PagePosition | null;
  hasMore: boolean;
}

/** The SQL of a registry file on one connection. */
export interface RegistryStores {
  lists: ListStore;
  ordinals: OrdinalStore;
  rows: RowStore;
}

/** A segment with the part of the question that concerns it. */
interface Asked {
  segment: Segment;
  question: SegmentQuestion;
}

/** What belongs to one state of the file: its segments, and the entries in them that count no more. */
interface FileState {
  state: number;
  segments: readonly Segment[];
  dead: Map<number, ListIn | null>;
}

/** How many rows are read at once when their first names must be compared. */
const SCANNED = 256;
/** The time for comparing first names, in milliseconds; then the page ends early. */
const SCAN_MS = 15;

/**
 * Searches an open registry file. All functions run within one read transaction of the caller, who calls
 * `refresh` at its beginning.
 */
export class SearchEngine {
  private file: FileState = { state: -1, segments: [], dead: new Map() };
  /** By segment, for those of the file: segments never change, and their numbers are never used again. */
  private readonly later = new Map<number, LaterEntries>();

  constructor(private readonly stores: RegistryStores) {}

  /** Reads in which state the file is. */
  refresh(): void {
    const state = this.stores.rows.state();
    if (state === this.file.state) return;
    this.file = { state, segments: this.stores.rows.segments(), dead: new Map() };
    this.stores.ordinals.forget();
    const present = new Set(this.file.segments.map(({ number }) => number));
    for (const segment of this.later.keys()) if (!present.has(segment)) this.later.delete(segment);
  }

  /** The number of changes of the file, as `refresh` read it. */
  get state(): number {
    return this.file.state;
  }

  /** Returns whether any clinician ever had a label. */
  knows(label: string): boolean {
    return this.stores.lists.numberOf(label) !== null;
  }

  /**
   * Returns up to `limit` matching clinicians after a position or from the first, by matched name, first name
   * and NPI.
   */
  page(question: Question, after: PagePosition | null, limit: number): FoundPage {
    if (question.firstName === null) return this.pageOf(question, after, limit);
    // Compares the first names of the rows: they are too long for a list.
    const began = performance.now();
    const kept: FoundRow[] = [];
    let last = after;
    for (;;) {
      const { rows, hasMore } = this.pageOf(question, last, SCANNED);
      for (const row of rows) {
        if (kept.length === limit) return { rows: kept, last, hasMore: true };
        last = row;
        if (row.firstKey.startsWith(question.firstName)) kept.push(row);
      }
      if (!hasMore) return { rows: kept, last, hasMore: false };
      if (performance.now() - began > SCAN_MS) return { rows: kept, last, hasMore: true };
    }
  }

  /** Returns whether anybody matches, without reading rows: first names are not compared. */
  exists(question: Question): boolean {
    return this.ask(question, null).some(({ question: own }) => firstMatches(own, 1).length > 0);
  }

  /** Counts the matching clinicians; null if that takes too long because first names must be compared. */
  count(question: Question): number | null {
    if (question.firstName === null) {
      return this.ask(question, null).reduce((sum, asked) => sum + countMatches(asked.question), 0);
    }
    const began = performance.now();
    let count = 0;
    let last: PagePosition | null = null;
    for (;;) {
      const { rows, hasMore }: FoundPage = this.pageOf(question, last, SCANNED);
      for (const row of rows) if (row.firstKey.startsWith(question.firstName)) count++;
      last = rows.at(-1) ?? last;
      if (!hasMore) return count;
      if (performance.now() - began > SCAN_MS) return null;
    }
  }

  /** Returns the row of a clinician; null for an unknown one. */
  clinician(npi: number): FoundRow | null {
    const { rows } = this.stores;
    for (const { number } of this.file.segments) {
      if (number % 2 === 1) continue;
      const ordinal = rows.ordinalOf(number, npi);
      if (ordinal === null || this.isDead(number, ordinal)) continue;
      return rows.read(number, [ordinal])[0] ?? null;
    }
    return null;
  }

  /** Returns the part of the public record that follows from a set of codes. */
  codesText(codes: number): string {
    return this.stores.rows.codesText(codes);
  }

  /** Returns surnames of several clinicians that are spelled like a name, with the numbers of clinicians. */
  nearNames(spellings: readonly string[]): { name: string; clinicians: number }[] {
    return this.stores.rows.nearNames(spellings);
  }

  private pageOf(question: Question, after: PagePosition | null, limit: number): FoundPage {
    let rows: FoundRow[] = [];
    let hasMore = false;
    for (const { segment, question: segmentQuestion } of this.ask(question, after)) {
      const end = hasMore ? rows.at(-1) : undefined;
      // Entries after the last one of a full page are not needed.
      const to =
        end === undefined
          ? segmentQuestion.to
          : Math.min(
              segmentQuestion.to,
              this.stores.ordinals.firstAfter(segment.number, segment.entries, end),
            );
      const ordinals = firstMatches({ ...segmentQuestion, to }, limit + 1);
      if (ordinals.length === 0) continue;
      if (ordinals.length > limit) {
        ordinals.pop();
        hasMore = true;
      }
      const more = this.stores.rows.read(segment.number, ordinals);
      if (rows.length === 0) {
        rows = more;
        continue;
      }
      hasMore ||= rows.length + more.length > limit;
      rows = merged(rows, more, limit);
    }
    return { rows, last: rows.at(-1) ?? after, hasMore };
  }

  /** Returns what a question asks of each segment that can have matches. */
  private ask({ labels, names, npis }: Question, after: PagePosition | null): Asked[] {
    const { lists, ordinals, rows } = this.stores;
    const numbers: number[] = [];
    for (const label of labels) {
      const number = lists.numberOf(label);
      if (number === null) return [];
      numbers.push(number);
    }
    const asked: Asked[] = [];
    for (const segment of this.file.segments) {
      const { number, entries } = segment;
      const isOther = number % 2 === 1;
      if (entries === 0 || (isOther && names === null)) continue;
      const from = names === null ? 0 : ordinals.startOf(number, entries, names.from);
      const to = names === null ? entries : ordinals.startOf(number, entries, names.before);
      if (from >= to) continue;
      const required = this.required(number, numbers);
      if (required === null) continue;
      if (npis !== null) {
        const selected = rows.ordinalsOf(number, npis);
        if (selected.length === 0) continue;
        required.unshift(smallList(selected));
      }
      const next = after === null ? from : Math.max(from, ordinals.firstAfter(number, entries, after));
      if (next >= to) continue;
      asked.push({
        segment,
        question: {
          from: next,
          to,
          isWhole: next === 0 && to === entries,
          required,
          excluded: this.excluded(number, isOther && names?.exact === false),
          later: names === null || names.exact ? null : this.laterOf(number, names.from),
        },
      });
    }
    return asked;
  }

  private required(segment: number, numbers: readonly number[]): ListIn[] | null {
    const lists: ListIn[] = [];
    for (const number of numbers) {
      const list = this.stores.lists.list(segment, number);
      if (list === null) return null;
      lists.push(list);
    }
    return lists.sort((left, right) => left.length - right.length);
  }

  private excluded(segment: number, withoutFirstParts: boolean): ListIn[] {
    const { lists } = this.stores;
    const dead = this.deadOf(segment);
    const number = withoutFirstParts ? lists.numberOf(LIST.firstPart) : null;
    const firstParts = number === null ? null : lists.list(segment, number);
    return [dead, firstParts].filter((list) => list !== null);
  }

  private laterOf(segment: number, from: string): SegmentQuestion['later'] {
    const entries = this.later.get(segment) ?? this.readLater(segment);
    const even = segment - (segment % 2);
    let since = 0;
    for (const one of this.file.segments) {
      const isOfPair = one.number === even || one.number === even + 1;
      if (isOfPair) since += this.stores.ordinals.startOf(one.number, one.entries, from);
    }
    return { entries, since };
  }

  private readLater(segment: number): LaterEntries {
    const { lists } = this.stores;
    const list = lists.numberOf(LIST.later);
    const numbers = (list === null ? null : lists.numbers(segment, list)) ?? new Uint32Array(1);
    const count = numbers[0] ?? 0;
    const later = {
      ordinals: numbers.subarray(1, 1 + count),
      previous: numbers.subarray(1 + count, 1 + 2 * count),
    };
    this.later.set(segment, later);
    return later;
  }

  private deadOf(segment: number): ListIn | null {
    const { dead } = this.file;
    const known = dead.get(segment);
    if (known !== undefined) return known;
    const number = this.stores.lists.numberOf(LIST.dead);
    const list = number === null ? null : this.stores.lists.freshList(segment, number);
    dead.set(segment, list);
    return list;
  }

  private isDead(segment: number, ordinal: number): boolean {
    const dead = this.deadOf(segment);
    if (dead === null) return false;
    const from = { from: ordinal, to: ordinal + 1, isWhole: false };
    return firstMatches({ ...from, required: [dead], excluded: [], later: null }, 1).length > 0;
  }
}

/** Merges two ordered arrays up to a number of rows. */
function merged(left: readonly FoundRow[], right: readonly FoundRow[], limit: number): FoundRow[] {
  const rows: FoundRow[] = [];
  let leftIndex = 0;
  let rightIndex = 0;
  while (rows.length < limit) {
    const first = left[leftIndex];
    const second = right[rightIndex];
    const takesFirst = first !== undefined && (second === undefined || byPosition(first, second) <= 0);
    const next = takesFirst ? first : second;
    if (next === undefined) break;
    rows.push(next);
    if (takesFirst) leftIndex++;
    else rightIndex++;
  }
  return rows;
}

function byPosition(left: PagePosition, right: PagePosition): number {
  return (
    compareTexts(left.nameKey, right.nameKey) ||
    compareTexts(left.firstKey, right.firstKey) ||
    left.npi - right.npi
  );
}
