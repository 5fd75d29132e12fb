import { decodeBase64, encodeBase64 } from '../encoding/base64.ts';
import { parseDecimal } from '../encoding/decimal.ts';
import { HASH_BYTES } from './merkle.ts';
import { isNoteText } from './note.ts';

/** What a log says of itself in a note (C2SP tlog-checkpoint). */
export interface Checkpoint {
  /** The log's name; not empty. */
  origin: string;
  /** How many leaves, 0 to 2^53 − 1. */
  size: number;
  /** RFC 6962 root of the tree of that size: 32 bytes. That of size 0 is not compared with the empty root. */
  root: Uint8Array;
  /** Lines after the third, each not empty. Nobody can audit them. */
  extensions: string[];
}

/** Text that is no checkpoint, or values that make none. */
export class CheckpointError extends Error {
  override readonly name = 'CheckpointError';
}

/**
 * Reads the text of a note as a checkpoint, strictly: origin, size in decimal without leading zeros, canonical base64 of
 * 32 bytes, and whatever lines follow; each line not empty and with its newline. @throws CheckpointError
 */
export function parseCheckpoint(text: string): Checkpoint {
  const lines = text.split('\n');
  if (lines.pop() !== '') return fail('a checkpoint ends with a newline');
  const [origin = '', sizeLine = '', rootLine = '', ...extensions] = lines;
  if (origin === '' || extensions.includes('')) return fail('a checkpoint has no empty line');
  const size = parseDecimal(sizeLine);
  if (size === null) return fail('the size of a checkpoint is a decimal number up to 2^53 − 1');
  const root = decodeBase64(rootLine);
  if (root?.length !== HASH_BYTES) return fail('the root of a checkpoint is base64 of 32 bytes');
  return { origin, size, root, extensions };
}

/** The text to sign for a tree, without extension lines. @throws CheckpointError for what `parseCheckpoint` would refuse */
export function checkpointText({ origin, size, root }: Omit<Checkpoint, 'extensions'>): string {
  if (!isNoteText(origin)) return fail('an origin has no control characters');
  const text = `${origin}\n${size}\n${encodeBase64(root)}\n`;
  const read = parseCheckpoint(text);
  return read.origin === origin ? text : fail('an origin is one line');
}

function fail(message: string): never {
  throw new CheckpointError(message);
}
