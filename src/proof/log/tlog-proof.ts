import { decodeBase64, encodeBase64 } from '../encoding/base64.ts';
import { parseDecimal } from '../encoding/decimal.ts';
import { HASH_BYTES } from './merkle.ts';

/** That an entry is in a log, for whoever knows the log's key, offline (C2SP tlog-proof). */
export interface TlogProof {
  /** Bytes with a meaning of the application, which nothing vouches for; at least one. Null where there are none. */
  extra: Uint8Array | null;
  /** The entry's, from 0. */
  index: number;
  /** The audit path, the leaf's sibling first: at most 63 hashes of 32 bytes. */
  path: Uint8Array[];
  /** The checkpoint, a note verbatim: its UTF-8 goes to `openCheckpoint`. */
  checkpoint: string;
}

/** Bytes that are no such proof, or values that make none. */
export class TlogProofError extends Error {
  override readonly name = 'TlogProofError';
}

const HEADER = 'c2sp.org/tlog-proof@v1';
const EXTRA = 'extra ';
const INDEX = 'index ';
const MAX_HASHES = 63;
/** A note of the longest, and an entry of the longest in base64, with room to spare. */
const MAX_PROOF_BYTES = 2_097_152;

const fromUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads a proof, strictly: UTF-8 of at most 2 MiB, canonical base64, no empty extra data, an index up to 2^53 − 1, at
 * most 63 hashes of 32 bytes. Proves nothing yet: the checkpoint is not opened, and the path not followed.
 *
 * @throws TlogProofError
 */
export function parseTlogProof(bytes: Uint8Array): TlogProof {
  if (bytes.length > MAX_PROOF_BYTES) return fail('a proof has at most 2 MiB');
  let text: string;
  try {
    text = fromUtf8.decode(bytes);
  } catch {
    return fail('a proof is UTF-8');
  }
  return readProof(text);
}

function readProof(text: string): TlogProof {
  const end = text.indexOf('\n\n');
  const checkpoint = text.slice(end + 2);
  if (end === -1 || checkpoint === '') return fail('a proof ends with an empty line and a checkpoint');
  const lines = text.slice(0, end).split('\n');
  if (lines.shift() !== HEADER) return fail(`a proof begins with ${HEADER}`);
  const extra = lines[0]?.startsWith(EXTRA) ? readExtra(lines.shift() ?? '') : null;
  const index = readIndex(lines.shift() ?? '');
  if (lines.length > MAX_HASHES) return fail(`a proof has at most ${MAX_HASHES} hashes`);
  return { extra, index, path: lines.map(readHash), checkpoint };
}

function readExtra(line: string): Uint8Array {
  const extra = decodeBase64(line.slice(EXTRA.length));
  return extra === null || extra.length === 0 ? fail('the extra data of a proof is base64') : extra;
}

function readIndex(line: string): number {
  const index = line.startsWith(INDEX) ? parseDecimal(line.slice(INDEX.length)) : null;
  return index ?? fail('the index of a proof is a decimal number up to 2^53 − 1');
}

function readHash(line: string): Uint8Array {
  const hash = decodeBase64(line);
  return hash?.length === HASH_BYTES ? hash : fail('a hash of a proof is base64 of 32 bytes');
}

/** The proof as text; its UTF-8 is what `parseTlogProof` reads. @throws TlogProofError for what that would refuse */
export function formatTlogProof({ extra, index, path, checkpoint }: TlogProof): string {
  const lines = [HEADER];
  if (extra !== null) lines.push(EXTRA + encodeBase64(extra));
  lines.push(INDEX + index, ...path.map(encodeBase64), '', checkpoint);
  const text = lines.join('\n');
  if (!text.isWellFormed()) return fail('a proof is UTF-8');
  parseTlogProof(new TextEncoder().encode(text));
  return text;
}

function fail(message: string): never {
  throw new TlogProofError(message);
}
