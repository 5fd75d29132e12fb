import type { PublishedEntry } from '../../ledger/journal.ts';
import { JournalFile, type JournalFound } from '../../ledger/journal-file.ts';
import type { Primitives } from '../../primitives.ts';
import { isBlank, LINE_BYTES_MAX, linesOf } from './lines.ts';

/** A line that no journal has: it is as malformed as one that is too long, of which only a part is kept. */
const TOO_LONG = new Uint8Array([0]);

/** Gives the lines of a chunk of whole lines to a journal. */
export function takeLines(journal: JournalFile, chunk: Uint8Array): void {
  for (const line of linesOf(chunk))
    journal.take(line.length > LINE_BYTES_MAX ? TOO_LONG : line, isBlank(line));
}

/**
 * Verifies the whole journal of an account. Never throws for any bytes.
 * @param bytes NDJSON @param account a subject commitment or an operator_id
 * @param onEntry as of `JournalFile`
 * @returns what the journal says; a sentence if it is not this journal, or not in order
 */
export function readJournal(
  primitives: Primitives,
  bytes: Uint8Array,
  account: string,
  onEntry: (entry: PublishedEntry, isComplete: boolean) => void,
): JournalFound | string {
  const file = new JournalFile(primitives, onEntry);
  takeLines(file, bytes);
  const found = file.end();
  const { owner, problem } = found;
  if (problem !== null) return `line ${problem.line}: ${problem.sentence}`;
  return owner !== null && Object.values(owner)[0] === account
    ? found
    : `it is not the journal of ${account}`;
}
