import type { JournalFile } from '../../ledger/journal-file.ts';
import { isBlank, LINE_BYTES_MAX, linesOf } from './lines.ts';

/** A line that no journal has: it is as malformed as one that is too long, of which only a part is kept. */
const TOO_LONG = new Uint8Array([0]);

/** Gives the lines of a chunk of whole lines to a journal. */
export function takeLines(journal: JournalFile, chunk: Uint8Array): void {
  for (const line of linesOf(chunk))
    journal.take(line.length > LINE_BYTES_MAX ? TOO_LONG : line, isBlank(line));
}
