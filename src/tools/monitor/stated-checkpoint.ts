import { Failure } from '../../platform/failure.ts';
import { type Checkpoint, parseCheckpoint } from '../../proof/log/checkpoint.ts';
import { originOf } from '../../proof/log/log-names.ts';
import { parseNote } from '../../proof/log/note.ts';

/** Returns the part of a log of receipts' origin before its name. @throws Failure for another log */
export function commonOfReceipts({ origin }: Checkpoint): string {
  const suffix = originOf('', 'receipts');
  if (origin.endsWith(suffix)) return origin.slice(0, -suffix.length);
  throw new Failure(
    `${shown(origin)} is not the name of a receipts log`,
    'specify the address of the logs, up to and including /log',
  );
}

/**
 * Parses a checkpoint without verifying its signatures.
 * @throws Failure for bytes that are not a signed checkpoint
 */
export function parseSigned(bytes: Uint8Array, location: string): Checkpoint {
  try {
    return parseCheckpoint(parseNote(bytes).text);
  } catch (error) {
    throw new Failure(
      `${location} does not return a checkpoint: ${error instanceof Error ? error.message : String(error)}`,
      'specify the address of the logs, up to and including /log',
    );
  }
}

/** Quotes received text for the terminal: without control characters, and shortened. */
export function shown(text: string): string {
  return JSON.stringify(text.slice(0, 255));
}
