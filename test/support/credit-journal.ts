import type { client } from './client.ts';
import { sha256 } from './evidence.ts';
import type { TrustApp } from './trust-app.ts';

type Entry = Record<string, unknown>;

/** What an entry's hash covers, in canonical order. */
const HASHED = [
  'amount',
  'asset',
  'balance_after',
  'created_at',
  'detail_hash',
  'direction',
  'entry_id',
  'kind',
  'of',
  'operator_id',
  'prev_entry_hash',
  'subject_commitment',
];

/** Returns the SHA-256 of an object whose members are in canonical order, without the product's code. */
const digestOf = (object: Entry): string => sha256(JSON.stringify(object));

/** Returns an agent's credit journal, newest first, read in pages. */
export function journalOf(reader: Reader, commitment: string): Promise<Entry[]> {
  return entriesAt(reader, `/api/v1/passport/agents/${commitment}/credit-journal`);
}

/** Returns the journal of the reader's pool, newest first, read in pages. */
export function poolJournalOf(reader: Reader): Promise<Entry[]> {
  return entriesAt(reader, '/api/v1/operator/journal');
}

/** Returns a whole journal as NDJSON, as the operator of the first start may read it. */
export async function wholeJournal({ apiKey, fetch }: TrustApp, path: string): Promise<Uint8Array> {
  const headers = { accept: 'application/x-ndjson', authorization: `Bearer ${apiKey}` };
  return (await fetch(new Request(`http://localhost${path}`, { headers }))).bytes();
}

type Reader = Pick<ReturnType<typeof client>, 'get'>;

async function entriesAt({ get }: Reader, path: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let cursor: unknown = ''; cursor !== null; ) {
    const after = cursor === '' ? '' : `&cursor=${cursor}`;
    const { status, body } = await get(`${path}?limit=100${after}`);
    if (status !== 200) throw new Error(`${path} returned ${status}`);
    if (Array.isArray(body.entries)) entries.push(...body.entries);
    cursor = body.next_cursor;
  }
  return entries;
}

/** What an agent has of a class. */
interface Figures {
  granted: number;
  earned: number;
  spent: number;
  locked: number;
  available: number;
}

/**
 * Verifies a journal as docs/credits.md describes it, by hand: each hash, the chain, and the balance of each
 * class.
 * @param owner an agent's commitment or an operator_id @param entries newest first. With their salts the details are verified too
 * @returns the figures of each class that the journal names, which its entries add up to
 * @throws Error with the first entry that is wrong
 */
export function verifiedJournal(owner: string, entries: readonly Entry[]): Record<string, Figures> {
  let previous: unknown = null;
  const classes: Record<string, Figures> = {};
  for (const entry of [...entries].reverse()) {
    const wrong = (what: string) =>
      new Error(`${what} of ${JSON.stringify(entry)} in the journal of ${owner}`);
    const whole: Entry = {
      ...entry,
      [owner.startsWith('op_') ? 'operator_id' : 'subject_commitment']: owner,
    };
    if (entry.prev_entry_hash !== previous) throw wrong('the previous hash');
    if (
      digestOf(Object.fromEntries(HASHED.flatMap((name) => (name in whole ? [[name, whole[name]]] : [])))) !==
      entry.entry_hash
    )
      throw wrong('the hash');
    const { salt, counterparty, memo, receipt_id, reference } = entry;
    const asset = String(entry.asset);
    const isCredit = entry.direction === 'credit';
    const other = counterparty === 'locked' ? owner : counterparty;
    const [creditor, debtor] = isCredit ? [owner, other] : [other, owner];
    if (
      salt !== null &&
      digestOf({ creditor, debtor, memo, receipt_id, reference, salt }) !== entry.detail_hash
    )
      throw wrong('the detail');
    const figures = classes[asset] ?? { granted: 0, earned: 0, spent: 0, locked: 0, available: 0 };
    classes[asset] = figures;
    const amount = Number(entry.amount);
    for (const [name, sign] of changesOf(entry)) figures[name] += sign * amount;
    const { granted, earned, spent, locked, available } = figures;
    if (available !== entry.balance_after || available < 0) throw wrong('the balance');
    if (locked < 0 || granted + earned - spent - locked !== available) throw wrong('the sum');
    previous = entry.entry_hash;
  }
  return classes;
}

/** Returns the last balance of each class that `verifiedJournal` returned. */
export function availableIn(classes: Record<string, Figures>): Record<string, number> {
  return Object.fromEntries(Object.entries(classes).map(([name, { available }]) => [name, available]));
}

/** Returns which figures an entry changes, up or down. */
function changesOf({ kind, direction, of }: Entry): [keyof Figures, 1 | -1][] {
  if (of === 'locked')
    return [
      ['locked', -1],
      ['spent', 1],
    ];
  if (kind === 'LOCK')
    return [
      ['available', -1],
      ['locked', 1],
    ];
  if (kind === 'UNLOCK')
    return [
      ['locked', -1],
      ['available', 1],
    ];
  if (direction === 'debit')
    return [
      ['available', -1],
      ['spent', 1],
    ];
  return [
    ['available', 1],
    [kind === 'OPERATOR_GRANT' ? 'granted' : 'earned', 1],
  ];
}
