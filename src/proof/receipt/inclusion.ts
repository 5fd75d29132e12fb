import { decodeBase64 } from '../encoding/base64.ts';
import { bytesToHex } from '../encoding/hex.ts';
import { isJsonObject, JsonError, type JsonObject, type JsonValue, parseJson } from '../encoding/json.ts';
import { CheckpointError, parseCheckpoint } from '../log/checkpoint.ts';
import { LogEntryError, type ReceiptEntry, readReceiptEntry } from '../log/log-entry.ts';
import { type LogKey, openTrusted, type TrustedCheckpoint } from '../log/log-keys.ts';
import { HASH_BYTES, leafHash, verifyInclusion } from '../log/merkle.ts';
import { NoteError, parseNote } from '../log/note.ts';
import { parseTlogProof, TlogProofError } from '../log/tlog-proof.ts';
import type { Primitives } from '../primitives.ts';
import type { LeafPosition } from './key-status.ts';
import { contentHash, type Receipt } from './receipt.ts';

/** That a log of receipts holds a leaf, as it was read: nothing of it is verified. */
export interface LogProof {
  /** The exact text of the leaf's entry. */
  entry: string;
  /** The leaf's, from 0. */
  index: number;
  /** The audit path, the leaf's sibling first. */
  path: Uint8Array[];
  /** The checkpoint, a note verbatim. */
  checkpoint: string;
}

/** Bytes that are no proof for a receipt. */
export class LogProofError extends Error {
  override readonly name = 'LogProofError';
}

const fromUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const toUtf8 = new TextEncoder();

/** No proof in text begins so. */
const OPENING_BRACE = 0x7b;

/**
 * Reads a proof in either form: C2SP tlog-proof text whose extra data is the leaf's entry, or the JSON of a public
 * manifest, of which `inclusion_path` alone is read. What that says twice has to agree. @throws LogProofError
 */
export function readLogProof(primitives: Primitives, bytes: Uint8Array): LogProof {
  try {
    return bytes[0] === OPENING_BRACE ? manifestProof(primitives, textOf(bytes)) : textProof(bytes);
  } catch (error) {
    if (error instanceof TlogProofError || error instanceof JsonError) return fail(error.message);
    if (error instanceof CheckpointError || error instanceof NoteError) return fail(error.message);
    throw error;
  }
}

function textOf(bytes: Uint8Array): string {
  try {
    return fromUtf8.decode(bytes);
  } catch {
    return fail('a proof is UTF-8');
  }
}

function textProof(bytes: Uint8Array): LogProof {
  const { extra, index, path, checkpoint } = parseTlogProof(bytes);
  if (extra === null) return fail('the proof has no extra data, which is the entry of the leaf');
  return { entry: textOf(extra), index, path, checkpoint };
}

function manifestProof(primitives: Primitives, text: string): LogProof {
  const manifest = parseJson(text);
  const path = isJsonObject(manifest) ? manifest.inclusion_path : undefined;
  if (!isJsonObject(path)) {
    const reason = isJsonObject(manifest) ? manifest.inclusion_reason : undefined;
    return fail(typeof reason === 'string' ? reason : 'the manifest has no inclusion_path');
  }
  const entry = textIn(path, 'leaf_entry');
  const checkpoint = textIn(path, 'checkpoint');
  const { origin, size } = parseCheckpoint(parseNote(toUtf8.encode(checkpoint)).text);
  const hash = bytesToHex(leafHash(primitives, toUtf8.encode(entry)));
  if (path.log !== origin || path.tree_size !== size || path.leaf_hash !== hash) {
    return fail(
      'log, tree_size or leaf_hash of the inclusion_path are not those of its checkpoint and its leaf',
    );
  }
  const { leaf_index: index, hashes } = path;
  if (typeof index !== 'number' || !Array.isArray(hashes)) {
    return fail('the inclusion_path has no leaf_index or no hashes');
  }
  return { entry, index, path: hashes.map(hashOf), checkpoint };
}

function textIn(object: JsonObject, member: string): string {
  const text = object[member];
  return typeof text === 'string' ? text : fail(`the inclusion_path has no ${member}`);
}

function hashOf(value: JsonValue): Uint8Array {
  const hash = typeof value === 'string' ? decodeBase64(value) : null;
  return hash?.length === HASH_BYTES ? hash : fail('a hash of a proof is base64 of 32 bytes');
}

/** What a proof says of a receipt. */
export interface InclusionCheck {
  /** `mismatch`: the proof holds, and is of another receipt or another version. `bad`: it does not hold. */
  check: 'ok' | 'mismatch' | 'bad';
  /** Why it is not ok. */
  problem: string | null;
  /** Where this very signature stands; null unless the proof holds and is of this version. */
  position: LeafPosition | null;
}

/**
 * Whether a log that `keys` speak for holds a receipt: the checkpoint is signed, the path leads to its root, and the leaf
 * is the receipt's, by receipt_id, content_hash, signature and, where the receipt names one, kid.
 *
 * What stands in the log is the version that was finalized. A receipt that was revoked afterwards was signed anew, and
 * that version has no leaf here: the proof is good for it when the leaf is of the same receipt before it was revoked,
 * whose content_hash anyone can compute, since nothing else changed. It then says nothing of when the revoked version was
 * signed, so there is no position. Never throws.
 */
export function checkInclusion(
  primitives: Primitives,
  receipt: Receipt,
  proof: LogProof,
  keys: readonly LogKey[],
): InclusionCheck {
  let checkpoint: TrustedCheckpoint;
  let entry: ReceiptEntry;
  try {
    checkpoint = openTrusted(primitives, toUtf8.encode(proof.checkpoint), keys);
    entry = readReceiptEntry(proof.entry);
  } catch (error) {
    if (error instanceof NoteError || error instanceof CheckpointError) return bad(error.message);
    if (error instanceof LogEntryError) return bad(`the leaf is not that of a receipt: ${error.message}`);
    throw error;
  }
  const { index, path } = proof;
  const leaf = leafHash(primitives, toUtf8.encode(proof.entry));
  if (!verifyInclusion(primitives, { leaf, index, path, size: checkpoint.size, root: checkpoint.root })) {
    return bad('the hashes do not lead from the leaf to the root of the checkpoint');
  }
  return compare(primitives, receipt, entry, { log: checkpoint.origin, index });
}

function compare(
  primitives: Primitives,
  receipt: Receipt,
  entry: ReceiptEntry,
  position: LeafPosition,
): InclusionCheck {
  if (entry.receipt_id !== receipt.receipt_id) return mismatch('it is the proof of another receipt');
  if (receipt.revocation_status === 'revoked') {
    const before = contentHash(primitives, { ...receipt, revocation_status: 'active' });
    if (entry.content_hash !== before) return mismatch('the log holds another version of the receipt');
    return { check: 'ok', problem: null, position: null };
  }
  const isThis =
    entry.content_hash === receipt.content_hash &&
    entry.signature === receipt.signature &&
    (receipt.kid === undefined || entry.kid === receipt.kid);
  if (!isThis) return mismatch('the log holds another version of the receipt');
  return { check: 'ok', problem: null, position };
}

function mismatch(problem: string): InclusionCheck {
  return { check: 'mismatch', problem, position: null };
}

function bad(problem: string): InclusionCheck {
  return { check: 'bad', problem, position: null };
}

function fail(message: string): never {
  throw new LogProofError(message);
}
