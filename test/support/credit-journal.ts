import type { client } from './client.ts';
import { sha256 } from './evidence.ts';

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
  'prev_entry_hash',
  'subject_commitment',
];

/** Returns the SHA-256 of an object whose members are in canonical order, without the product's code. */
const digestOf = (object: Entry): string => sha256(JSON.stringify(object));

/** Returns an agent's credit journal, newest first, read in pages. */
export async function journalOf(
  { get }: Pick<ReturnType<typeof client>, 'get'>,
  commitment: string,
): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let cursor: unknown = ''; cursor !== null; ) {
    const after = cursor === '' ? '' : `&cursor=${cursor}`;
    const path = `/api/v1/passport/agents/${commitment}/credit-journal?limit=100${after}`;
    const { status, body } = await get(path);
    if (status !== 200) throw new Error(`${path} returned ${status}`);
    if (Array.isArray(body.entries)) entries.push(...body.entries);
    cursor = body.next_cursor;
  }
  return entries;
}

/**
 * Verifies a journal as docs/credits.md describes it, by hand: each hash, the chain, and the balance of each
 * class.
 * @param entries newest first. With their salts the details are verified too
 * @returns the final balance of each class that the journal names
 * @throws Error with the first entry that is wrong
 */
export function verifiedJournal(commitment: string, entries: readonly Entry[]): Record<string, number> {
  let previous: unknown = null;
  const balances: Record<string, number> = {};
  for (const entry of [...entries].reverse()) {
    const wrong = (what: string) =>
      new Error(`${what} of ${JSON.stringify(entry)} in the journal of ${commitment}`);
    const whole: Entry = { ...entry, subject_commitment: commitment };
    if (entry.prev_entry_hash !== previous) throw wrong('the previous hash');
    if (digestOf(Object.fromEntries(HASHED.map((name) => [name, whole[name]]))) !== entry.entry_hash)
      throw wrong('the hash');
    const { salt, counterparty, memo, receipt_id, reference } = entry;
    const asset = String(entry.asset);
    const isCredit = entry.direction === 'credit';
    const other = counterparty === 'locked' ? commitment : counterparty;
    const [creditor, debtor] = isCredit ? [commitment, other] : [other, commitment];
    if (
      salt !== null &&
      digestOf({ creditor, debtor, memo, receipt_id, reference, salt }) !== entry.detail_hash
    )
      throw wrong('the detail');
    const balance = (balances[asset] ?? 0) + (isCredit ? 1 : -1) * Number(entry.amount);
    if (balance !== entry.balance_after || balance < 0) throw wrong('the balance');
    balances[asset] = balance;
    previous = entry.entry_hash;
  }
  return balances;
}
