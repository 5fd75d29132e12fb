import { LogEntryError } from './entry-members.ts';
import { type KeyLogEntries, keyLogOf } from './key-log.ts';
import { readKeyLogEntry } from './log-change.ts';

const fromUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads the entries of a log of keys. Those without their form are named in the problems, and left out. */
export function readKeyLogEntries(entries: readonly Uint8Array[]): KeyLogEntries & { problems: string[] } {
  const problems: string[] = [];
  const read = entries.flatMap((bytes, index) => {
    try {
      return [{ entry: readKeyLogEntry(fromUtf8.decode(bytes)), index }];
    } catch (error) {
      if (!(error instanceof LogEntryError || error instanceof TypeError)) throw error;
      const what = error instanceof LogEntryError ? error.message : 'it is not UTF-8';
      problems.push(`entry ${index} is not an entry of a key log: ${what}`);
      return [];
    }
  });
  return { ...keyLogOf(read), problems };
}
