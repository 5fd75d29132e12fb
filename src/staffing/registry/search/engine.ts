import type { Database } from 'bun:sqlite';
import { LIST } from '../../../../db/staffing/registry/schema.ts';
import { compareTexts } from '../order-of-texts.ts';
import { type ListIn, ListStore, OrdinalStore, type PagePosition, smallList } from './lists-store.ts';
import { type FoundRow, RowStore, type Segment } from './rows-store.ts';
import { countMatches, firstMatches, type LaterEntries, type SegmentQuestion } from './segment-search.ts';

export type { PagePosition } from './lists-store.ts';
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

/** Names from here (inclusive) to there (exclusive). `exact`: also first parts of surnames; the range has one name. */
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

/** A segment with the part of the question that concerns it. */
interface Asked {
  segment: Segment;
  question: SegmentQuestion;
}

/** How many rows are read at once when their first names must be compared. */
const SCANNED = 256;
/** The processor time for comparing first names, in milliseconds; then the page ends early. */
const SCAN_MS = 20;

/** Searches an open registry file. All functions run within one read transaction of the caller. */
export class SearchEngine {
  private readonly lists: ListStore;
  private readonly ordinals: OrdinalStore;
  private readonly rows: RowStore;
  /** By segment: segments never change. */
  private readonly later = new Map<number, LaterEntries>();
  private dead: { state: number; lists: Map<number, ListIn | null> } = { state: -1, lists: new Map() };

  constructor(sqlite: Database) {
    this.lists = new ListStore(sqlite);
    this.ordinals = new OrdinalStore(sqlite);
    this.rows = new RowStore(sqlite);
  }

  /** Returns the number of changes of the file. */
  state(): number {
    return this.rows.state();
  }

  /** Returns whether any clinician ever had a label. */
  knows(label: string): boolean {
    return this.lists.numberOf(label) !== null;
  }

  /** Returns up to `limit` matching clinicians after a position or from the first, by matched name, first name and NPI. */
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
    for (const segment of this.rows.segments()) {
      if (segment.number % 2 === 1) continue;
      const ordinal = this.rows.ordinalOf(segment.number, npi);
      if (ordinal === null || this.isDead(segment.number, ordinal)) continue;
      return this.rows.read([{ segment: segment.number, ordinal }])[0] ?? null;
    }
    return null;
  }

  /** Returns the part of the public record that follows from a set of codes. */
  codesText(codes: number): string {
    return this.rows.codesText(codes);
  }

  /** Returns surnames of several clinicians that are spelled like a name, with the numbers of clinicians. */
  nearNames(spellings: readonly string[]): { name: string; clinicians: number }[] {
    return this.rows.nearNames(spellings);
  }

  private pageOf(question: Question, after: PagePosition | null, limit: number): FoundPage {
    const [first, ...others] = this.ask(question, after);
    if (first === undefined) return { rows: [], last: after, hasMore: false };
    const wanted = limit + 1;
    let found = this.rowsOf(first, wanted);
    for (const asked of others) {
      const end = found.length === wanted ? found.at(-1) : undefined;
      const { segment, question: own } = asked;
      // Later entries than the last of a full page are not needed.
      const to =
        end === undefined
          ? own.to
          : Math.min(own.to, this.ordinals.firstAfter(segment.number, segment.entries, end));
      const more = this.rowsOf({ segment, question: { ...own, to } }, wanted);
      if (more.length > 0) found = [...found, ...more].sort(byPosition).slice(0, wanted);
    }
    const rows = found.slice(0, limit);
    return { rows, last: rows.at(-1) ?? after, hasMore: found.length > limit };
  }

  private rowsOf({ segment, question }: Asked, limit: number): FoundRow[] {
    const ordinals = firstMatches(question, limit);
    return this.rows.read(ordinals.map((ordinal) => ({ segment: segment.number, ordinal })));
  }

  /** Returns what a question asks of each segment that can have matches. */
  private ask(question: Question, after: PagePosition | null): Asked[] {
    const { labels, names, npis } = question;
    const numbers: number[] = [];
    for (const label of labels) {
      const number = this.lists.numberOf(label);
      if (number === null) return [];
      numbers.push(number);
    }
    const starts = new Map<string, number>();
    const startOf = (segment: Segment, name: string): number => {
      const key = `${segment.number} ${name}`;
      const start = starts.get(key) ?? this.startOf(segment, name);
      starts.set(key, start);
      return start;
    };
    const asked: Asked[] = [];
    const segments = this.rows.segments();
    for (const segment of segments) {
      const { number, entries } = segment;
      const isOther = number % 2 === 1;
      if (entries === 0 || (isOther && names === null)) continue;
      const required = this.required(number, numbers);
      if (required === null) continue;
      if (npis !== null) {
        const own = this.rows.ordinalsOf(number, npis);
        if (own.length === 0) continue;
        required.push(smallList(own));
      }
      const from = names === null ? 0 : startOf(segment, names.from);
      const to = names === null ? entries : startOf(segment, names.before);
      if (from >= to) continue;
      const next = after === null ? from : Math.max(from, this.ordinals.firstAfter(number, entries, after));
      if (next >= to) continue;
      asked.push({
        segment,
        question: {
          from: next,
          to,
          isWhole: next === 0 && to === entries,
          required,
          excluded: this.excluded(number, isOther && names?.exact === false),
          later: names === null || names.exact ? null : this.laterOf(segments, segment, names.from, startOf),
        },
      });
    }
    return asked;
  }

  private required(segment: number, numbers: readonly number[]): ListIn[] | null {
    const lists: ListIn[] = [];
    for (const number of numbers) {
      const list = this.lists.list(segment, number);
      if (list === null) return null;
      lists.push(list);
    }
    return lists.sort((left, right) => left.length - right.length);
  }

  private excluded(segment: number, withoutFirstParts: boolean): ListIn[] {
    const dead = this.deadOf(segment);
    const number = withoutFirstParts ? this.lists.numberOf(LIST.firstPart) : null;
    const firstParts = number === null ? null : this.lists.list(segment, number);
    return [dead, firstParts].filter((list) => list !== null);
  }

  private startOf({ number, entries }: Segment, name: string): number {
    return this.ordinals.firstAfter(number, entries, { nameKey: name, firstKey: '', npi: 0 });
  }

  private laterOf(
    segments: readonly Segment[],
    { number }: Segment,
    from: string,
    startOf: (segment: Segment, name: string) => number,
  ): SegmentQuestion['later'] {
    const entries = this.later.get(number) ?? this.readLater(number);
    const even = number - (number % 2);
    const since = segments
      .filter((one) => one.number === even || one.number === even + 1)
      .reduce((sum, one) => sum + startOf(one, from), 0);
    return { entries, since };
  }

  private readLater(segment: number): LaterEntries {
    const list = this.lists.numberOf(LIST.later);
    const numbers = (list === null ? null : this.lists.numbers(segment, list)) ?? new Uint32Array(1);
    const count = numbers[0] ?? 0;
    const later = {
      ordinals: numbers.subarray(1, 1 + count),
      previous: numbers.subarray(1 + count, 1 + 2 * count),
    };
    if (this.later.size > 8) this.later.clear();
    this.later.set(segment, later);
    return later;
  }

  private deadOf(segment: number): ListIn | null {
    const state = this.rows.state();
    if (this.dead.state !== state) this.dead = { state, lists: new Map() };
    const known = this.dead.lists.get(segment);
    if (known !== undefined) return known;
    const number = this.lists.numberOf(LIST.dead);
    const list = number === null ? null : this.lists.freshList(segment, number);
    this.dead.lists.set(segment, list);
    return list;
  }

  private isDead(segment: number, ordinal: number): boolean {
    const dead = this.deadOf(segment);
    if (dead === null) return false;
    const question = {
      from: ordinal,
      to: ordinal + 1,
      isWhole: false,
      required: [dead],
      excluded: [],
      later: null,
    };
    return firstMatches(question, 1).length > 0;
  }
}

function byPosition(left: PagePosition, right: PagePosition): number {
  return (
    compareTexts(left.nameKey, right.nameKey) ||
    compareTexts(left.firstKey, right.firstKey) ||
    left.npi - right.npi
  );
}
