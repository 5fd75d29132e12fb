import type { LogSource } from '../../../platform/tlog/source.ts';
import { AHEAD_MS } from '../../../proof/encoding/timestamp.ts';
import { LogEntryError } from '../../../proof/log/entry-members.ts';
import type { IndexedEntry } from '../../../proof/log/key-log.ts';
import { readReceiptEntry } from '../../../proof/log/log-entry.ts';
import { EntryReader } from '../history/entry-reader.ts';
import type { EntryProblem } from '../history/history.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Compares the sizes that the ends of keys state with the log of receipts: the first entry that the log did
 * not have at the end of a key is not dated more than 60 s before that. Otherwise the size is too small, and
 * disowns entries that are older.
 *
 * @param source which has the log of receipts
 * @param size of that log before the entries of the key log came
 * @param ends the new entries of the key log that end keys
 * @returns the problems of entries of the key log
 * @throws Failure for entries that cannot be read
 */
export async function endProblems(
  source: LogSource,
  size: number,
  ends: readonly IndexedEntry[],
): Promise<EntryProblem[]> {
  const receipts = new EntryReader(source, 'receipts', size);
  const problems: EntryProblem[] = [];
  for (const { entry, index } of ends) {
    const { receipts_tree_size: stated, at } = entry;
    if (stated >= size) continue;
    const date = dateIn(await receipts.entry(stated));
    if (date === null || Date.parse(date) >= Date.parse(at) - AHEAD_MS) continue;
    const what = `its receipts_tree_size is ${stated} at ${at}, and entry ${stated} of receipts is dated ${date}, before that: the size is too small`;
    problems.push({ index, what });
  }
  return problems;
}

/** Returns the date of an entry; null for a malformed one, which is a problem by itself. */
function dateIn(entry: Uint8Array): string | null {
  try {
    return readReceiptEntry(utf8.decode(entry)).finalized_at;
  } catch (error) {
    if (error instanceof LogEntryError || error instanceof TypeError) return null;
    throw error;
  }
}
