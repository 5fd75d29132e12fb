import { isHex } from '../encoding/hex.ts';
import {
  isJsonObject,
  JsonError,
  type JsonObject,
  type JsonValue,
  parseJsonBytes,
} from '../encoding/json.ts';
import { HASH_BYTES } from '../log/merkle.ts';
import type { Primitives } from '../primitives.ts';
import type { JournalCheck } from './head-verdict.ts';
import { JournalVerifier, type PublishedEntry } from './journal.ts';
import { type JournalOwner, OF_LOCKED } from './journal-entry.ts';
import type { JournalHead } from './journal-head.ts';

const NEWLINE = 0x0a;

/** The value of `type` in the first line of a whole journal. */
const JOURNAL_TYPE = 'credit-journal';

/**
 * Returns what a downloaded journal says of a head: whether its entries form one chain, and one of them has
 * the head as its hash. Never throws for any bytes.
 * @param journal a line of JSON for each entry, after one that says whose journal it is or without it; or
 * JSON with `entries`; in either order
 */
export function checkJournal(
  primitives: Primitives,
  journal: Uint8Array,
  { account, entries: count, head }: JournalHead,
): JournalCheck {
  const owner: JournalOwner = isHex(account, HASH_BYTES)
    ? { subject_commitment: account }
    : { operator_id: account };
  const read = entriesIn(journal, owner);
  if ('problem' in read) return { check: 'bad', problems: [`journal: ${read.problem}`] };
  const [first] = read.entries;
  // The service lists the newest first.
  const newestFirst = first?.prev_entry_hash === null ? read.entries.toReversed() : read.entries;
  const verifier = new JournalVerifier(primitives, owner);
  for (const [at, entry] of newestFirst.entries()) {
    const problem = verifier.check(entry);
    if (problem !== null)
      return { check: 'bad', problems: [`journal: entry ${at + 1} from the newest: ${problem}`] };
  }
  const place = newestFirst.findIndex((entry) => entry.entry_hash === head);
  if (place === -1)
    return {
      check: 'missing',
      problems: [`journal: none of its ${newestFirst.length} entries has the hash ${head}`],
    };
  const older = newestFirst.length - place;
  const isComplete = newestFirst.at(-1)?.prev_entry_hash === null;
  return isComplete && older !== count
    ? {
        check: 'bad',
        problems: [`journal: the head is entry ${older} of the journal, and was entry ${count}`],
      }
    : { check: 'ok', problems: [] };
}

function entriesIn(
  journal: Uint8Array,
  owner: JournalOwner,
): { entries: PublishedEntry[] } | { problem: string } {
  const entries: PublishedEntry[] = [];
  try {
    const { whole, values, line } = partsOf(journal);
    const problem = whole === null ? null : wholeProblem(whole, owner);
    if (problem !== null) return { problem };
    for (const [at, value] of values.entries()) {
      const entry = isJsonObject(value) ? entryIn(value) : null;
      if (entry === null) return { problem: `line ${line + at} is no entry of a journal` };
      entries.push(entry);
    }
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return { problem: error.message };
  }
  return entries.length === 0 ? { problem: 'it has no entries' } : { entries };
}

/** Returns why the line before the entries is not of the whole journal of an account; null if it is. */
function wholeProblem(whole: JsonObject, owner: JournalOwner): string | null {
  const [name, account] = Object.entries(owner)[0] ?? [];
  if (name === undefined || whole[name] !== account) return `it is not the journal of ${account}`;
  return whole.filtered === true ? 'it has only some entries, those of a filter' : null;
}

/** The entries of a file, and the first line if it is none. */
interface Parts {
  whole: JsonObject | null;
  values: readonly JsonValue[];
  /** The number of the line of the first entry. */
  line: number;
}

/** Returns the values of the lines of a file, or of `entries` of the only one. @throws JsonError */
function partsOf(bytes: Uint8Array): Parts {
  const values: JsonValue[] = [];
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(NEWLINE, from);
    const line = bytes.subarray(from, end === -1 ? bytes.length : end);
    if (line.length > 0) values.push(parseJsonBytes(line));
    from += line.length + 1;
  }
  const [first] = values;
  if (first === undefined || !isJsonObject(first)) return { whole: null, values, line: 1 };
  if (first.type === JOURNAL_TYPE) return { whole: first, values: values.slice(1), line: 2 };
  const isPage = values.length === 1 && Array.isArray(first.entries);
  return { whole: null, values: isPage && Array.isArray(first.entries) ? first.entries : values, line: 1 };
}

/** Returns the members of an entry that its hash covers, and the hash; null for another form. */
function entryIn(value: JsonObject): PublishedEntry | null {
  const { entry_id, kind, asset, amount, direction, of, balance_after, created_at } = value;
  const { detail_hash, entry_hash, prev_entry_hash } = value;
  if (typeof entry_id !== 'string' || typeof kind !== 'string' || typeof asset !== 'string') return null;
  if (typeof amount !== 'number' || typeof balance_after !== 'number') return null;
  if (direction !== 'credit' && direction !== 'debit') return null;
  if (of !== undefined && of !== OF_LOCKED) return null;
  if (typeof created_at !== 'string' || typeof detail_hash !== 'string') return null;
  if (typeof entry_hash !== 'string') return null;
  if (typeof prev_entry_hash !== 'string' && prev_entry_hash !== null) return null;
  return {
    ...{ entry_id, kind, asset, amount, balance_after, created_at, detail_hash },
    ...{ direction, of, entry_hash, prev_entry_hash },
  };
}
