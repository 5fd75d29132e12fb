import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import { Failure } from '../../platform/failure.ts';
import { groupDigits } from '../../platform/terminal/progress.ts';
import { entriesFrom, type LogSource } from '../../platform/tlog/source.ts';
import { equalBytes } from '../../proof/encoding/equal-bytes.ts';
import { CheckpointError } from '../../proof/log/checkpoint.ts';
import { LogEntryError, readRevocationEntry } from '../../proof/log/log-entry.ts';
import { type LogKey, openTrusted, type TrustedCheckpoint } from '../../proof/log/log-keys.ts';
import { Frontier, leafHash } from '../../proof/log/merkle.ts';
import { NoteError } from '../../proof/log/note.ts';
import type { Revocations } from '../../proof/receipt/revocations.ts';

/** Service and copies call it so, whatever stands before. */
const NAME = 'revocations';

/**
 * Of a log that says it has more, nothing is fetched. What a checkpoint says is its signer's word alone until all entries are there;
 * so many take hours and gigabytes, and anything beyond is no log that somebody means to be read from end to end.
 */
const MAX_ENTRIES = 100_000_000;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads the whole log of revocations: its checkpoint, signed by one of `keys`, and every entry, which have to hash to its
 * root.
 *
 * @param progress hears of the entries that were read, and of their share, 0 to 1
 * @throws Failure for a log that is missing, not signed by one of `keys`, says to have more than 100 million entries, or does
 * not hash to its checkpoint
 */
export async function revocationsFrom(
  source: LogSource,
  keys: readonly LogKey[],
  progress: (count: number, share: number) => void,
): Promise<Revocations> {
  const { size, root, time } = opened(await source.read(`${NAME}/checkpoint`), source.location, keys);
  if (size > MAX_ENTRIES) {
    throw new Failure(
      `the checkpoint in ${source.location}/${NAME} says that there are ${groupDigits(size)} entries, and at most ${groupDigits(MAX_ENTRIES)} are read`,
      'check the status of the receipt itself with --status',
    );
  }
  // There is something to see before the first bundle has come.
  progress(0, 0);
  const frontier = new Frontier(nativePrimitives);
  const revoked = new Set<string>();
  for await (const bundle of entriesFrom(source, NAME, 0, size)) {
    for (const entry of bundle) {
      frontier.append(leafHash(nativePrimitives, entry));
      revoked.add(idIn(entry, source.location));
    }
    progress(frontier.size, frontier.size / size);
  }
  if (equalBytes(frontier.root(), root)) return { revoked, time };
  throw new Failure(
    `the entries in ${source.location}/${NAME} do not hash to the root of its checkpoint`,
    'use another copy: this one is damaged or was changed',
  );
}

function opened(bytes: Uint8Array, place: string, keys: readonly LogKey[]): TrustedCheckpoint {
  try {
    const checkpoint = openTrusted(nativePrimitives, bytes, keys);
    // The same keys sign the other logs, which say nothing of what is revoked.
    if (checkpoint.origin.endsWith(`/${NAME}`)) return checkpoint;
    throw new NoteError(`it is of ${checkpoint.origin}, which is no log of revocations`);
  } catch (error) {
    if (!(error instanceof NoteError || error instanceof CheckpointError)) throw error;
    throw new Failure(
      `the checkpoint in ${place}/${NAME} cannot be trusted: ${error.message}`,
      'check the address of the logs, and that --keys are of the service that signs them',
    );
  }
}

function idIn(entry: Uint8Array, place: string): string {
  try {
    return readRevocationEntry(textOf(entry)).receipt_id;
  } catch (error) {
    if (!(error instanceof LogEntryError)) throw error;
    throw new Failure(
      `${place}/${NAME} has an entry that is not a revocation: ${error.message}`,
      'use another copy of the log',
    );
  }
}

function textOf(entry: Uint8Array): string {
  try {
    return utf8.decode(entry);
  } catch {
    throw new LogEntryError('an entry is UTF-8');
  }
}
