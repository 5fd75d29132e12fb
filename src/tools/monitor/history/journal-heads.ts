import { timestampOf } from '../../../platform/time/timestamp.ts';
import { DAY_MS } from '../../../platform/time/units.ts';
import type { JournalHeadsEntry } from '../../../proof/log/journal-heads-entry.ts';
import type { HistoryStore } from './store.ts';

/** The name of the newest day in the history, of no account and of no agent. */
const NEWEST_DAY = '02'.padEnd(66, '0');
const HASH_BYTES = 32;

/**
 * Takes the next leaf of journal heads of the log of accounts. Their days ascend: two leaves of one day, or
 * one of an earlier day, could show two owners different heads.
 * @returns how the leaf contradicts the ones before; null for no problem
 */
export function takeJournalHeads(store: HistoryStore, { date }: JournalHeadsEntry): string | null {
  const day = Date.parse(`${date}T00:00:00.000Z`) / DAY_MS;
  const before = store.headOf(NEWEST_DAY)?.count ?? null;
  if (before === null || day > before)
    store.setHead(NEWEST_DAY, { count: day, head: new Uint8Array(HASH_BYTES) });
  if (before === null || day > before) return null;
  const newest = timestampOf(before * DAY_MS).slice(0, 'YYYY-MM-DD'.length);
  return `it has the heads of journals of ${date}, and an earlier leaf has those of ${newest}`;
}
