import { decodeBase64, encodeBase64 } from '../encoding/base64.ts';
import { parseDecimal } from '../encoding/decimal.ts';
import { HASH_BYTES } from './merkle.ts';
import { isNoteText } from './note.ts';

/** A checkpoint: a log's statement about its tree (C2SP tlog-checkpoint). */
export interface Checkpoint {
  /** The log's name; not empty. */
  origin: string;
  /** The number of leaves, 0 to 2^53 − 1. */
  size: number;
  /**
   * The RFC 6962 root of the tree of that size: 32 bytes. For size 0 it is not compared with the empty root.
   */
  root: Uint8Array;
  /** The lines after the third; none is empty. They are not part of the tree, so no audit covers them. */
  extensions: string[];
}

/** Reports text that is not a checkpoint, or values that do not make one. */
export class CheckpointError extends Error {
  override readonly name = 'CheckpointError';
}

/**
 * Parses the text of a note as a checkpoint: a line each with the origin, the size in decimal without leading
 * zeros, and the root in canonical base64, then extension lines. Every line must be nonempty and end with a
 * newline. @throws CheckpointError
 */
export function parseCheckpoint(text: string): Checkpoint {
  const lines = text.split('\n');
  if (lines.pop() !== '') return fail('the checkpoint does not end with a newline');
  const [origin = '', sizeLine = '', rootLine = '', ...extensions] = lines;
  if (origin === '' || extensions.includes('')) return fail('the checkpoint has an empty line');
  const size = parseDecimal(sizeLine);
  if (size === null) return fail('the size of the checkpoint is not a decimal number up to 2^53 − 1');
  const root = decodeBase64(rootLine);
  if (root?.length !== HASH_BYTES) return fail('the root of the checkpoint is not base64 of 32 bytes');
  return { origin, size, root, extensions };
}

/**
 * Formats a checkpoint without extension lines: the text to sign. @throws CheckpointError for values that
 * `parseCheckpoint` refuses
 */
export function checkpointText({ origin, size, root }: Omit<Checkpoint, 'extensions'>): string {
  if (!isNoteText(origin)) return fail('the origin has a control character');
  const text = `${origin}\n${size}\n${encodeBase64(root)}\n`;
  const read = parseCheckpoint(text);
  return read.origin === origin ? text : fail('the origin has more than one line');
}

function fail(message: string): never {
  throw new CheckpointError(message);
}
