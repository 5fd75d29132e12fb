import { decodeBase64, encodeBase64 } from '../encoding/base64.ts';
import { parseDecimal } from '../encoding/decimal.ts';
import { HASH_BYTES } from './merkle.ts';

/** An offline proof that an entry is in a log (C2SP tlog-proof). */
export interface TlogProof {
  /** Application data that no signature covers, at least one byte; null for none. */
  extra: Uint8Array | null;
  /** The index of the entry, from 0. */
  index: number;
  /** The audit path, from the leaf's sibling up: at most 63 hashes of 32 bytes. */
  path: Uint8Array[];
  /** The checkpoint's note, unchanged: pass its UTF-8 to `openCheckpoint`. */
  checkpoint: string;
}

/** Reports bytes that are not a proof, or values that do not make one. */
export class TlogProofError extends Error {
  override readonly name = 'TlogProofError';
}

const HEADER = 'c2sp.org/tlog-proof@v1';
const EXTRA = 'extra ';
const INDEX = 'index ';
const MAX_HASHES = 63;
/** Large enough for the longest note and the longest entry in base64. */
const MAX_PROOF_BYTES = 2_097_152;

const fromUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Parses a proof: UTF-8 of at most 2 MiB, canonical base64, no empty extra data, an index up to 2^53 − 1, at
 * most 63 hashes of 32 bytes. It verifies neither the checkpoint nor the path.
 *
 * @throws TlogProofError
 */
export function parseTlogProof(bytes: Uint8Array): TlogProof {
  if (bytes.length > MAX_PROOF_BYTES) return fail('a proof has at most 2 MiB');
  let text: string;
  try {
    text = fromUtf8.decode(bytes);
  } catch {
    return fail('the proof is not UTF-8');
  }
  return readProof(text);
}

function readProof(text: string): TlogProof {
  const end = text.indexOf('\n\n');
  const checkpoint = text.slice(end + 2);
  if (end === -1 || checkpoint === '')
    return fail('the proof does not end with an empty line and a checkpoint');
  const lines = text.slice(0, end).split('\n');
  if (lines.shift() !== HEADER) return fail(`the proof does not begin with ${HEADER}`);
  const extra = lines[0]?.startsWith(EXTRA) ? readExtra(lines.shift() ?? '') : null;
  const index = readIndex(lines.shift() ?? '');
  if (lines.length > MAX_HASHES) return fail(`a proof has at most ${MAX_HASHES} hashes`);
  return { extra, index, path: lines.map(readHash), checkpoint };
}

function readExtra(line: string): Uint8Array {
  const extra = decodeBase64(line.slice(EXTRA.length));
  return extra === null || extra.length === 0 ? fail('the extra data of the proof is not base64') : extra;
}

function readIndex(line: string): number {
  const index = line.startsWith(INDEX) ? parseDecimal(line.slice(INDEX.length)) : null;
  return index ?? fail('the index of the proof is not a decimal number up to 2^53 − 1');
}

function readHash(line: string): Uint8Array {
  const hash = decodeBase64(line);
  return hash?.length === HASH_BYTES ? hash : fail('a hash of the proof is not base64 of 32 bytes');
}

/** Formats a proof; `parseTlogProof` parses its UTF-8. @throws TlogProofError for a proof that it refuses */
export function formatTlogProof({ extra, index, path, checkpoint }: TlogProof): string {
  const lines = [HEADER];
  if (extra !== null) lines.push(EXTRA + encodeBase64(extra));
  lines.push(INDEX + index, ...path.map(encodeBase64), '', checkpoint);
  const text = lines.join('\n');
  if (!text.isWellFormed()) return fail('the proof contains a lone surrogate');
  parseTlogProof(new TextEncoder().encode(text));
  return text;
}

function fail(message: string): never {
  throw new TlogProofError(message);
}
