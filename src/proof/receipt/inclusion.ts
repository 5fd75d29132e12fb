import { decodeBase64 } from '../encoding/base64.ts';
import { bytesToHex } from '../encoding/hex.ts';
import { isJsonObject, JsonError, type JsonObject, type JsonValue, parseJson } from '../encoding/json.ts';
import { CheckpointError, parseCheckpoint } from '../log/checkpoint.ts';
import { judgeCoseReceipt } from '../log/cose-verdict.ts';
import { LogEntryError } from '../log/entry-members.ts';
import { type ReceiptEntry, readReceiptEntry } from '../log/log-entry.ts';
import {
  checkpointProblem,
  isLogVerdict,
  type LogKey,
  type LogVerdict,
  openTrusted,
  type SignedTree,
  signedTree,
  type TrustedCheckpoint,
} from '../log/log-keys.ts';
import { isOriginOf } from '../log/log-names.ts';
import { HASH_BYTES, leafHash, verifyInclusion } from '../log/merkle.ts';
import { misdated, type StatedDate } from '../log/misdated.ts';
import { NoteError, parseNote } from '../log/note.ts';
import { parseTlogProof, TlogProofError } from '../log/tlog-proof.ts';
import type { Primitives } from '../primitives.ts';
import { contentHash, type Receipt } from './receipt.ts';
import type { LeafPosition } from './signature.ts';

/** A parsed, unverified proof that a receipts log contains a leaf. */
export interface LogProof {
  /** The exact text of the leaf's entry. */
  entry: string;
  /** The index of the leaf, from 0. */
  index: number;
  /** The audit path, from the leaf's sibling up. */
  path: Uint8Array[];
  /** The checkpoint's note, unchanged. */
  checkpoint: string;
}

/** A COSE receipt of an entry, which is not in it. Neither is verified. */
export interface CoseLogProof {
  /** The bytes of the entry. */
  entry: Uint8Array;
  cose: Uint8Array;
}

/** What was given as a proof, and has not the form of one. */
export interface UnreadableProof {
  /** Why. */
  unreadable: string;
}

/** Reports bytes that are not a proof for a receipt. */
export class LogProofError extends Error {
  override readonly name = 'LogProofError';
}

const fromUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const toUtf8 = new TextEncoder();

const NO_MANIFEST =
  'it is JSON without an inclusion_path, so it is no public manifest: save the response of GET /api/v1/receipts/<id>/proof';

/** Begins the JSON form; a proof in text form never begins with it. */
const OPENING_BRACE = 0x7b;

/**
 * Parses a proof in either form: C2SP tlog-proof text with the leaf's entry as extra data, or the JSON of a
 * public manifest. Only `inclusion_path` of the manifest is used; its redundant members must agree. @throws
 * LogProofError
 */
export function readLogProof(primitives: Primitives, bytes: Uint8Array): LogProof {
  try {
    if (bytes.length === 0) return fail('it is empty: save the response of GET /api/v1/receipts/<id>/proof');
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
    return fail('the proof is not UTF-8');
  }
}

function textProof(bytes: Uint8Array): LogProof {
  const { extra, index, path, checkpoint } = parseTlogProof(bytes);
  if (extra === null) return fail('the proof has no extra data, which must be the entry of the leaf');
  return { entry: textOf(extra), index, path, checkpoint };
}

function manifestProof(primitives: Primitives, text: string): LogProof {
  const manifest = parseJson(text);
  const path = isJsonObject(manifest) ? manifest.inclusion_path : undefined;
  if (!isJsonObject(path)) {
    const reason = isJsonObject(manifest) ? manifest.inclusion_reason : undefined;
    return fail(typeof reason === 'string' ? reason : NO_MANIFEST);
  }
  const entry = textIn(path, 'leaf_entry');
  const checkpoint = textIn(path, 'checkpoint');
  const { origin, size } = parseCheckpoint(parseNote(toUtf8.encode(checkpoint)).text);
  const hash = bytesToHex(leafHash(primitives, toUtf8.encode(entry)));
  if (path.log !== origin || path.tree_size !== size || path.leaf_hash !== hash) {
    return fail('log, tree_size or leaf_hash of the inclusion_path do not match its checkpoint and its leaf');
  }
  const { leaf_index: index, hashes } = path;
  if (typeof index !== 'number' || !Array.isArray(hashes)) {
    return fail('the inclusion_path has no valid leaf_index or hashes');
  }
  return { entry, index, path: hashes.map(hashOf), checkpoint };
}

function textIn(object: JsonObject, member: string): string {
  const text = object[member];
  // As UTF-8, half of a surrogate pair would become another character.
  return typeof text === 'string' && text.isWellFormed()
    ? text
    : fail(`the inclusion_path has no valid ${member}`);
}

function hashOf(value: JsonValue): Uint8Array {
  const hash = typeof value === 'string' ? decodeBase64(value) : null;
  return hash?.length === HASH_BYTES ? hash : fail('a hash of the proof is not base64 of 32 bytes');
}

/** The result of checking a proof against a receipt. */
export interface InclusionCheck {
  /**
   * `mismatch`: the proof is valid, but for another receipt or another version. `bad`: the proof is invalid.
   * `misdated`: the proof is valid and for this version, but its dates contradict each other. `wrong_log`,
   * `log_not_named`: a trusted key signed it, but for a log that does not count.
   */
  check: 'ok' | 'mismatch' | 'misdated' | 'bad' | LogVerdict;
  /** The reason why `check` is not ok; null when it is. */
  problem: string | null;
  /**
   * The position of this version's signature in the log; null unless the proof is valid and for this version.
   */
  position: LeafPosition | null;
  /** The tree that a trusted key signed; null if none did. */
  tree: SignedTree | null;
  /** When this version was issued and finalized; empty unless the proof is valid and for it. */
  dates: readonly StatedDate[];
}

/**
 * Checks whether a log of `keys` contains a receipt. The checkpoint must be signed, the path must lead to its
 * root, and the leaf must have the receipt's receipt_id, content_hash, signature and, if the receipt has one,
 * kid.
 *
 * The log contains the version that was finalized. Revoking a receipt creates a newly signed version without
 * a leaf in this log. For that version the proof is ok when the leaf is the receipt before its revocation:
 * only revocation_status changed, so its content_hash can be computed. The proof does not show when the
 * revoked version was signed, so there is no position. Never throws.
 */
export function checkInclusion(
  primitives: Primitives,
  receipt: Receipt,
  proof: LogProof | CoseLogProof | UnreadableProof,
  keys: readonly LogKey[],
): InclusionCheck {
  if ('unreadable' in proof) return bad(proof.unreadable);
  if ('cose' in proof) return checkCose(primitives, receipt, proof, keys);
  let checkpoint: TrustedCheckpoint;
  let entry: ReceiptEntry;
  try {
    const note = toUtf8.encode(proof.checkpoint);
    const { origin } = parseCheckpoint(parseNote(note).text);
    // The keys of the other logs of the installation are trusted too, but not for receipts.
    if (!isOriginOf(origin, 'receipts'))
      return bad(`the checkpoint belongs to ${origin}, which is not a log of receipts`);
    checkpoint = openTrusted(primitives, note, keys);
    entry = readReceiptEntry(proof.entry);
  } catch (error) {
    if (error instanceof LogEntryError) return bad(`the leaf is not a receipt entry: ${error.message}`);
    const found = checkpointProblem(error);
    if (found === null) throw error;
    const { check, message, checkpoint: other } = found;
    return { check, problem: message, position: null, tree: other && signedTree(other), dates: [] };
  }
  const { index, path } = proof;
  const leaf = leafHash(primitives, toUtf8.encode(proof.entry));
  if (!verifyInclusion(primitives, { leaf, index, path, size: checkpoint.size, root: checkpoint.root })) {
    return bad('the hashes do not lead from the leaf to the root of the checkpoint');
  }
  const tree = signedTree(checkpoint);
  const found = compare(primitives, receipt, entry, { log: checkpoint.origin, index });
  return dated({ ...found, tree }, checkpoint.time);
}

/**
 * Returns the check with `misdated` if the dates contradict each other, or are after a time at which the tree
 * was signed. The position stays: the log has this version there, whatever it says of its dates.
 * @param signed in milliseconds since 1970; null if nothing says it
 */
export function dated(found: InclusionCheck, signed: number | null): InclusionCheck {
  const wrong = found.check === 'ok' ? misdated(found.dates, signed) : null;
  return wrong === null ? found : { ...found, check: 'misdated', problem: `misdated: ${wrong}` };
}

/**
 * Checks a COSE receipt. Since nothing signs its index, it shows no position, and cannot make the signature
 * of an ended key count.
 */
function checkCose(
  primitives: Primitives,
  receipt: Receipt,
  { entry, cose }: CoseLogProof,
  logKeys: readonly LogKey[],
): InclusionCheck {
  const { verdict, problems, proven } = judgeCoseReceipt(primitives, cose, { entry, logKeys });
  if (proven === null) {
    return { ...bad(problems[0] ?? verdict), ...(isLogVerdict(verdict) && { check: verdict }) };
  }
  const found = compare(primitives, receipt, readReceiptEntry(proven.entry), { log: proven.log, index: 0 });
  const tree = { log: proven.log, tree_size: null, signed_at: null };
  return dated({ ...found, position: null, tree }, null);
}

function compare(
  primitives: Primitives,
  receipt: Receipt,
  entry: ReceiptEntry,
  position: LeafPosition,
): Omit<InclusionCheck, 'tree'> {
  if (entry.receipt_id !== receipt.receipt_id) return mismatch('it is a proof for another receipt');
  const dates = [
    { event: 'issued', at: receipt.issued_at },
    { event: 'finalized', at: entry.finalized_at },
  ];
  if (receipt.revocation_status === 'revoked') {
    const before = contentHash(primitives, { ...receipt, revocation_status: 'active' });
    if (entry.content_hash !== before) return mismatch('the log has another version of the receipt');
    return { check: 'ok', problem: null, position: null, dates };
  }
  const isThis =
    entry.content_hash === receipt.content_hash &&
    entry.signature === receipt.signature &&
    (receipt.kid === undefined || entry.kid === receipt.kid);
  if (!isThis) return mismatch('the log has another version of the receipt');
  return { check: 'ok', problem: null, position, dates };
}

function mismatch(problem: string): Omit<InclusionCheck, 'tree'> {
  return { check: 'mismatch', problem, position: null, dates: [] };
}

function bad(problem: string): InclusionCheck {
  return { check: 'bad', problem, position: null, tree: null, dates: [] };
}

function fail(message: string): never {
  throw new LogProofError(message);
}
