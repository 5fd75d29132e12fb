import { isHex } from '../encoding/hex.ts';
import {
  isJsonObject,
  JsonError,
  type JsonObject,
  type JsonValue,
  parseJsonBytes,
} from '../encoding/json.ts';
import { parseTimestamp } from '../encoding/timestamp.ts';
import type { Primitives } from '../primitives.ts';
import {
  type ClassFigures,
  JournalVerifier,
  type Opening,
  type PrivateDetail,
  type PublishedEntry,
} from './journal.ts';
import { type JournalOwner, OF_LOCKED } from './journal-entry.ts';

/** The `type` in the first line of a whole journal. */
export const JOURNAL_TYPE = 'credit-journal';

/** What is wrong with a journal: another form, entries that were left out on purpose, or a contradiction. */
export type JournalVerdict = 'malformed' | 'filtered' | 'inconsistent' | 'valid';

/** What the lines of a journal say. */
export interface JournalFound {
  verdict: JournalVerdict;
  /** Null if the first line does not say it. */
  owner: JournalOwner | null;
  /** The entries that were checked. */
  entries: number;
  /** The hash of the newest entry; null for an empty journal. */
  head: string | null;
  /** By class: what an agent had when its journal became complete, which no entry shows. */
  opening: Readonly<Record<string, Opening>>;
  /** Whether all entries show who the other account is, with what else only parties see. */
  details: 'ok' | 'not_shown';
  /** The first problem, with the line that has it, from 1; null if there is none. */
  problem: { line: number; sentence: string } | null;
}

/** The first line: what the journal adds up to. */
interface Header {
  owner: JournalOwner;
  length: number;
  head: string | null;
  figures: Record<string, Partial<ClassFigures>>;
  opening: Record<string, Opening>;
  filtered: boolean;
}

class Malformed extends Error {}

/**
 * Verifies a whole journal, line by line, newest entry first. What it keeps does not grow with the journal.
 * After the first problem it looks at nothing more: what follows is only worth something with what precedes.
 */
export class JournalFile {
  private line = 0;
  private header: Header | null = null;
  private verifier: JournalVerifier | null = null;
  private entries = 0;
  private masked = 0;
  private wrong: Pick<JournalFound, 'verdict' | 'problem'> | null = null;

  /** @param onEntry gets each entry that was checked, newest first, and whether no opening comes before it */
  constructor(
    private readonly primitives: Primitives,
    private readonly onEntry: (entry: PublishedEntry, isComplete: boolean) => void = () => undefined,
  ) {}

  /** Whether a problem was found. */
  get isOver(): boolean {
    return this.wrong !== null;
  }

  /** Takes the next line without its end. Blank ones count, and say nothing. */
  take(bytes: Uint8Array, isBlank: boolean): void {
    this.line += 1;
    if (isBlank || this.isOver) return;
    try {
      const value = parseJsonBytes(bytes);
      if (this.header === null) this.begin(headerOf(value));
      else this.check(value);
    } catch (error) {
      if (!(error instanceof Malformed || error instanceof JsonError)) throw error;
      this.fail('malformed', error.message);
    }
  }

  /** Returns the result after the last line. */
  end(): JournalFound {
    const { header, entries } = this;
    if (header === null) this.fail('malformed', 'There is no first line with the totals.');
    else if (entries !== header.length)
      this.fail('inconsistent', `The journal has ${header.length} entries, and the file has ${entries}.`);
    const last = this.verifier?.end() ?? null;
    if (last !== null) this.fail('inconsistent', last);
    return {
      ...(this.wrong ?? { verdict: 'valid', problem: null }),
      owner: header?.owner ?? null,
      entries,
      head: header?.head ?? null,
      opening: header?.opening ?? {},
      details: this.masked === 0 ? 'ok' : 'not_shown',
    };
  }

  private begin(header: Header): void {
    this.header = header;
    if (header.filtered) {
      this.fail('filtered', 'The journal was asked for with filters, so entries are missing.');
      return;
    }
    const problem = headerProblem(header);
    if (problem !== null) this.fail('inconsistent', problem);
    this.verifier = new JournalVerifier(this.primitives, header.owner, header.head, header);
  }

  private check(value: JsonValue): void {
    const { verifier } = this;
    if (verifier === null) return;
    const { entry, detail } = entryOf(value);
    if (detail === undefined) this.masked += 1;
    const problem = verifier.check(entry, detail);
    if (problem !== null) {
      this.fail('inconsistent', problem);
      return;
    }
    this.entries += 1;
    this.onEntry(entry, !verifier.isBeforeOpening);
  }

  private fail(verdict: JournalVerdict, sentence: string): void {
    this.wrong ??= { verdict, problem: { line: this.line, sentence } };
  }
}

/** Returns whether a line is the first one of a journal. It need not be well-formed. */
export function isJournalLine(bytes: Uint8Array): boolean {
  try {
    const value = parseJsonBytes(bytes);
    return isJsonObject(value) && Object.hasOwn(value, 'type') && value.type === JOURNAL_TYPE;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return false;
  }
}

const CLASSES: readonly string[] = ['promotional', 'paid', 'sandbox'];
const OPERATOR_ID = /^op_cus_[A-Za-z0-9]{24}$/;
const FIGURES = ['granted', 'earned', 'spent', 'locked', 'available'] as const;

function need(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Malformed(what);
}

/** Returns an object with these members and no others. @throws Malformed */
function members(
  value: JsonValue | undefined,
  names: readonly string[],
  what: string,
  optional = '',
): JsonObject {
  need(isJsonObject(value), `${what} is not an object.`);
  for (const name of Object.keys(value))
    need(names.includes(name) || name === optional, `${what} has a member that it does not have: ${name}.`);
  for (const name of names) need(Object.hasOwn(value, name), `${what} has no ${name}.`);
  return value;
}

function hash(value: JsonValue | undefined, name: string): string {
  need(typeof value === 'string' && isHex(value, 32), `${name} is not 64 lower-case hexadecimal characters.`);
  return value;
}

function hashOrNull(value: JsonValue | undefined, name: string): string | null {
  return value === null ? null : hash(value, name);
}

function count(value: JsonValue | undefined, name: string): number {
  need(
    typeof value === 'number' && Number.isSafeInteger(value) && value >= 0,
    `${name} is not a whole number from 0 to 9007199254740991.`,
  );
  return value;
}

/** Returns text that UTF-8 can encode, so that its digest is defined. */
function textOrNull(value: JsonValue | undefined, name: string): string | null {
  if (value === null) return null;
  need(typeof value === 'string' && value.isWellFormed(), `${name} is not text.`);
  return value;
}

function matching(value: JsonValue | undefined, pattern: RegExp, name: string): string {
  need(typeof value === 'string' && pattern.test(value), `${name} does not have its form.`);
  return value;
}

function byClass<Of>(
  value: JsonValue | undefined,
  name: string,
  of: (value: JsonValue | undefined, name: string) => Of,
): Record<string, Of> {
  need(isJsonObject(value), `${name} is not an object.`);
  return Object.fromEntries(
    Object.entries(value).map(([asset, figures]) => {
      need(CLASSES.includes(asset), `${name} has a class that there is not: ${asset}.`);
      return [asset, of(figures, `${name}.${asset}`)];
    }),
  );
}

function figuresOf(value: JsonObject, name: string): ClassFigures {
  const at = (figure: (typeof FIGURES)[number]): number => count(value[figure], `${name}.${figure}`);
  return {
    granted: at('granted'),
    earned: at('earned'),
    spent: at('spent'),
    locked: at('locked'),
    available: at('available'),
  };
}

/** Returns what the first line says. @throws Malformed */
function headerOf(value: JsonValue): Header {
  need(isJsonObject(value) && value.type === JOURNAL_TYPE, `The first line is not of type ${JOURNAL_TYPE}.`);
  const common = ['type', 'length', 'head', 'figures', 'filtered'];
  const isPool = Object.hasOwn(value, 'operator_id');
  const line = members(
    value,
    isPool ? [...common, 'operator_id'] : [...common, 'subject_commitment', 'opening'],
    'The first line',
  );
  need(typeof line.filtered === 'boolean', 'filtered is not true or false.');
  const of = {
    length: count(line.length, 'length'),
    head: hashOrNull(line.head, 'head'),
    filtered: line.filtered,
  };
  if (isPool) {
    const available = (one: JsonValue | undefined, name: string) => ({
      available: count(members(one, ['available'], name).available, `${name}.available`),
    });
    return {
      ...of,
      owner: { operator_id: matching(line.operator_id, OPERATOR_ID, 'operator_id') },
      figures: byClass(line.figures, 'figures', available),
      opening: {},
    };
  }
  return {
    ...of,
    owner: { subject_commitment: hash(line.subject_commitment, 'subject_commitment') },
    figures: byClass(line.figures, 'figures', (one, name) => figuresOf(members(one, FIGURES, name), name)),
    opening: byClass(line.opening, 'opening', (one, name) => {
      const opening = members(one, [...FIGURES, 'entry_hash', 'created_at'], name);
      need(isTime(opening.created_at), `${name}.created_at is not a time.`);
      return { ...figuresOf(opening, name), entry_hash: hash(opening.entry_hash, `${name}.entry_hash`) };
    }),
  };
}

/** Returns why the first line contradicts itself; null if it does not. */
function headerProblem({ owner, figures, opening }: Header): string | null {
  if (new Set(Object.values(opening).map(({ entry_hash }) => entry_hash)).size > 1)
    return 'The classes of the opening have different entries.';
  if ('operator_id' in owner) return null;
  for (const [name, rows] of Object.entries({ figures, opening }))
    for (const [asset, row] of Object.entries(rows)) {
      const { granted = 0, earned = 0, spent = 0, locked = 0, available = 0 } = row;
      // As BigInt, since the sum of two of them may be no exact number.
      if (BigInt(granted) + BigInt(earned) !== BigInt(spent) + BigInt(locked) + BigInt(available))
        return `The ${asset} credits of ${name} are not available = granted + earned - spent - locked.`;
    }
  return null;
}

const ENTRY = [
  ...(['entry_id', 'kind', 'asset', 'amount', 'direction', 'counterparty', 'reference', 'memo'] as const),
  ...(['receipt_id', 'salt', 'balance_after', 'created_at', 'detail_hash', 'entry_hash'] as const),
  'prev_entry_hash',
];

/** Returns an entry, and what only its parties see of it; undefined if it is masked. @throws Malformed */
function entryOf(value: JsonValue): { entry: PublishedEntry; detail: PrivateDetail | undefined } {
  const line = members(value, ENTRY, 'The entry', 'of');
  const { asset, direction, created_at, of } = line;
  need(typeof asset === 'string' && CLASSES.includes(asset), 'asset is no class of credits.');
  need(direction === 'credit' || direction === 'debit', 'direction is not credit or debit.');
  need(isTime(created_at), 'created_at is not an RFC 3339 time in UTC with milliseconds.');
  need(of === undefined || of === OF_LOCKED, 'of is not locked.');
  const entry: PublishedEntry = {
    entry_id: matching(line.entry_id, /^entry_[0-9a-f]{32}$/, 'entry_id'),
    kind: matching(line.kind, /^[A-Z_]{1,32}$/, 'kind'),
    asset,
    amount: count(line.amount, 'amount'),
    direction,
    ...(of === undefined ? {} : { of }),
    balance_after: count(line.balance_after, 'balance_after'),
    created_at,
    detail_hash: hash(line.detail_hash, 'detail_hash'),
    entry_hash: hash(line.entry_hash, 'entry_hash'),
    prev_entry_hash: hashOrNull(line.prev_entry_hash, 'prev_entry_hash'),
  };
  const counterparty = textOrNull(line.counterparty, 'counterparty');
  need(counterparty !== null, 'counterparty is not text.');
  const [memo, receipt_id, reference] = [
    textOrNull(line.memo, 'memo'),
    textOrNull(line.receipt_id, 'receipt_id'),
    textOrNull(line.reference, 'reference'),
  ];
  if (line.salt === null) return { entry, detail: undefined };
  const salt = matching(line.salt, /^[0-9a-f]{32}$/, 'salt');
  return { entry, detail: { counterparty, memo, receipt_id, reference, salt } };
}

const TIME = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$/;
const isTime = (value: JsonValue | undefined): value is string =>
  typeof value === 'string' && TIME.test(value) && parseTimestamp(value) !== null;
