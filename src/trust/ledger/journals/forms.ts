import { setImmediate } from 'node:timers/promises';
import { preferredType } from '../../../platform/http/request/accept.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import { JOURNAL_TYPE } from '../../../proof/ledger/journal-file.ts';
import { csvRow } from '../../http/csv.ts';
import { commonErrors } from '../../http/errors.ts';
import type { JournalAccount } from '../accounts.ts';
import { type EntriesWanted, entriesBefore } from '../journal.ts';
import { entryView } from './entry-view.ts';
import { wantedEntries } from './page.ts';
import type { JournalEntryView, JournalQuery } from './schema.ts';

export const NDJSON = 'application/x-ndjson';
export const CSV = 'text/csv';

/** A form of a whole journal. */
export type Form = typeof NDJSON | typeof CSV;

/** The entries that are read at once: about 2 ms of processor time, after which other requests are served. */
const CHUNK = 200;

/** Returns in which form a request asks for a whole journal; null for a page of JSON. */
export function wholeForm({ headers }: Request): Form | null {
  const accept = headers.get('accept');
  if (accept === null || accept === '*/*' || accept === 'application/json') return null;
  const type = preferredType(accept, ['application/json', NDJSON, CSV]);
  return type === 'application/json' ? null : type;
}

/** The columns of CSV: the members of an entry. */
const COLUMNS = [
  'entry_id',
  'created_at',
  'kind',
  'asset',
  'direction',
  'of',
  'amount',
  'balance_after',
  'counterparty',
  'reference',
  'memo',
  'receipt_id',
  'entry_hash',
  'prev_entry_hash',
  'detail_hash',
  'salt',
] as const satisfies readonly (keyof JournalEntryView)[];

/** A whole journal to send. */
interface Wanted {
  account: JournalAccount;
  query: JournalQuery;
  form: Form;
  /** Returns the first line of NDJSON: what the journal adds up to. */
  statement(snapshot: Snapshot): Promise<Readonly<Record<string, unknown>>>;
  /** Returns whether the key may still read it: a long journal can outlive its rights. */
  mayRead(snapshot: Snapshot): Promise<boolean>;
  /** The key that reads it, which has one at a time. */
  keyHash: string | null;
  signal: AbortSignal;
}

/**
 * Returns a whole journal with all details, newest first, read part by part as the client takes it, and
 * cut off when the key loses its right. Entries are never changed, so it is the journal of the moment when
 * it began.
 * @param open the keys that read a journal now: each one at a time
 * @throws ApiError rate_limit_exceeded while the key reads another one; validation_error for a cursor
 */
export function sendJournal(
  open: Set<string>,
  store: Store,
  { account, query, form, statement, mayRead, keyHash, signal }: Wanted,
): Response {
  const issues = (['limit', 'cursor'] as const).filter((name) => query[name] !== undefined);
  if (issues.length > 0)
    throw commonErrors.validation_error({
      issues: Object.fromEntries(issues.map((name) => [name, [`is not for ${form}, which has all entries`]])),
    });
  const wanted = wantedEntries(query, true);
  const name = keyHash ?? '';
  if (open.has(name))
    throw commonErrors.rate_limit_exceeded({
      message: 'This key already reads a whole journal. Wait for its end, or close it.',
      headers: { 'retry-after': '10' },
    });
  open.add(name);
  const ended = (): void => void open.delete(name);
  const isFiltered = Object.values(wanted).some((value) => value !== undefined);
  const lines = new Lines(
    store,
    account,
    wanted,
    mayRead,
    async (snapshot) =>
      form === CSV
        ? csvRow(COLUMNS)
        : jsonLine({ type: JOURNAL_TYPE, ...(await statement(snapshot)), filtered: isFiltered }),
    form,
  );
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          for (let text = ''; text === '' && !lines.isAtEnd; ) {
            // Lets other requests go first.
            await setImmediate();
            if (signal.aborted) throw new Error('the client is gone');
            text = await lines.next();
            if (text !== '') controller.enqueue(encoder.encode(text));
          }
          if (!lines.isAtEnd) return;
          ended();
          controller.close();
        } catch (error) {
          ended();
          controller.error(error);
        }
      },
      cancel: ended,
    },
    { highWaterMark: 0 },
  );
  return new Response(body, {
    headers: { 'content-type': form === CSV ? `${CSV}; charset=utf-8` : form },
  });
}

/** The lines of a journal. */
class Lines {
  private before: number | null = null;
  private isBegun = false;
  isAtEnd = false;

  constructor(
    private readonly store: Store,
    private readonly account: JournalAccount,
    private readonly wanted: EntriesWanted,
    private readonly mayRead: Wanted['mayRead'],
    private readonly first: (snapshot: Snapshot) => Promise<string>,
    private readonly form: Form,
  ) {}

  /**
   * Returns the next lines with their ends; nothing if none of the next entries match.
   * @throws Error if the key may no longer read them
   */
  next(): Promise<string> {
    return this.store.read(async (snapshot) => {
      if (!(await this.mayRead(snapshot))) throw new Error('the key may no longer read the journal');
      const lines = this.isBegun ? [] : [await this.first(snapshot)];
      const page = await entriesBefore(snapshot, this.account, this.before, CHUNK, this.wanted);
      this.isBegun = true;
      this.before = page.next;
      this.isAtEnd = page.next === null;
      lines.push(...page.entries.map((entry) => lineOf(entryView(entry, true), this.form)));
      return lines.join('');
    });
  }
}

function lineOf(entry: JournalEntryView, form: Form): string {
  return form === NDJSON ? jsonLine(entry) : csvRow(COLUMNS.map((name) => entry[name] ?? null));
}

function jsonLine(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
