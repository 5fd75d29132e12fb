import type { JournalCheck } from '../../ledger/head-verdict.ts';
import type { JournalHead } from '../../ledger/journal-head.ts';
import type { Primitives } from '../../primitives.ts';
import { readJournal } from './journal-lines.ts';

/**
 * Returns what a downloaded journal says of a head: whether it is the whole journal of its account and
 * consistent, and the entry with this hash has as many entries before it. Never throws for any bytes.
 * @param journal the whole journal as NDJSON
 */
export function checkJournal(
  primitives: Primitives,
  journal: Uint8Array,
  { account, entries: count, head }: JournalHead,
): JournalCheck {
  let newer: number | null = null;
  let read = 0;
  const found = readJournal(primitives, journal, account, ({ entry_hash }) => {
    if (entry_hash === head) newer = read;
    read += 1;
  });
  if (typeof found === 'string') return { check: 'bad', problems: [`journal: ${found}`] };
  if (newer === null)
    return { check: 'missing', problems: [`journal: none of its ${read} entries has the hash ${head}`] };
  const place = read - newer;
  return place === count
    ? { check: 'ok', problems: [] }
    : {
        check: 'bad',
        problems: [`journal: the head is entry ${place} of the journal, and was entry ${count}`],
      };
}
