import { decodeBase64 } from '../encoding/base64.ts';
import { bytesToHex } from '../encoding/hex.ts';
import { isJsonObject, JsonError, type JsonObject, type JsonValue, parseJson } from '../encoding/json.ts';
import type { Primitives } from '../primitives.ts';
import { type Checkpoint, CheckpointError } from './checkpoint.ts';
import { KnownNotes } from './known-notes.ts';
import { HASH_BYTES, leafHash } from './merkle.ts';
import { NoteError } from './note.ts';
import { parseTlogProof, TlogProofError } from './tlog-proof.ts';

/** A parsed, unverified proof that a log contains a leaf. */
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

/**
 * The JSON form of a proof without its `checkpoint`: that of a document with many proofs for one checkpoint,
 * which it has once.
 */
export type PathWithoutCheckpoint = {
  /** The origin of the log. */
  log: string;
  /** The index of the leaf, from 0. */
  leaf_index: number;
  /** The number of leaves of the tree that the proof is for: that of the checkpoint. */
  tree_size: number;
  /** The exact text of the leaf's entry. */
  leaf_entry: string;
  /** The RFC 6962 hash of the leaf: 64 lower-case hexadecimal characters. */
  leaf_hash: string;
  /** The audit path from the leaf to the root of the checkpoint: base64, the sibling of the leaf first. */
  hashes: string[];
};

/** Reports bytes that are not a proof of a log. */
export class LogProofError extends Error {
  override readonly name = 'LogProofError';
}

const fromUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const toUtf8 = new TextEncoder();

/** The members of JSON files that are a proof: of a public manifest, and of a bundle. */
const PROOF_MEMBERS = ['inclusion_path', 'proof'] as const;

const NO_PROOF =
  'it is JSON without an inclusion_path or a proof, so it is neither a public manifest nor a bundle: save the response of GET /api/v1/receipts/<id>/proof';

/** Begins the JSON form; a proof in text form never begins with it. */
const OPENING_BRACE = 0x7b;

/** Returns whether the bytes of a proof are of the JSON form. */
export const isJsonProof = (bytes: Uint8Array): boolean => bytes[0] === OPENING_BRACE;

/**
 * Parses a proof in either form: C2SP tlog-proof text with the leaf's entry as extra data, or the JSON of a
 * public manifest or of a bundle, of which only the proof is used. @throws LogProofError
 */
export function readLogProof(primitives: Primitives, bytes: Uint8Array): LogProof {
  if (bytes.length === 0) return fail('it is empty: save the response of GET /api/v1/receipts/<id>/proof');
  if (isJsonProof(bytes)) return jsonProof(primitives, textOf(bytes));
  try {
    return textProof(bytes);
  } catch (error) {
    return error instanceof TlogProofError ? fail(error.message) : rethrow(error);
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

function jsonProof(primitives: Primitives, text: string): LogProof {
  let document: JsonValue;
  try {
    document = parseJson(text);
  } catch (error) {
    return error instanceof JsonError ? fail(error.message) : rethrow(error);
  }
  const object: JsonObject = isJsonObject(document) ? document : {};
  const member = PROOF_MEMBERS.find((name) => isJsonObject(object[name]));
  if (member !== undefined) return readProofObject(primitives, object[member] ?? null, `the ${member}`);
  const reason = object.inclusion_reason;
  return fail(typeof reason === 'string' ? reason : NO_PROOF);
}

/**
 * Reads the JSON form of a proof, `{log, leaf_index, tree_size, leaf_entry, leaf_hash, hashes, checkpoint}`.
 * Three of the members follow from the others, and must agree with them.
 * @param name of the object in messages
 * @param notes the checkpoints that were parsed before
 * @throws LogProofError
 */
export function readProofObject(
  primitives: Primitives,
  value: JsonValue,
  name: string,
  notes: KnownNotes = new KnownNotes(),
): LogProof {
  if (!isJsonObject(value)) return fail(`${name} is not a JSON object`);
  const entry = textIn(value, 'leaf_entry', name);
  const checkpoint = textIn(value, 'checkpoint', name);
  const { origin, size } = checkpointIn(notes, checkpoint);
  const hash = bytesToHex(leafHash(primitives, toUtf8.encode(entry)));
  if (value.log !== origin || value.tree_size !== size || value.leaf_hash !== hash)
    return fail(`log, tree_size or leaf_hash of ${name} do not match its checkpoint and its leaf`);
  const { leaf_index: index, hashes } = value;
  if (typeof index !== 'number' || !Array.isArray(hashes))
    return fail(`${name} has no valid leaf_index or hashes`);
  return { entry, index, path: hashes.map(hashOf), checkpoint };
}

function checkpointIn(notes: KnownNotes, note: string): Checkpoint {
  try {
    return notes.checkpoint(note);
  } catch (error) {
    const isForm = error instanceof CheckpointError || error instanceof NoteError;
    return isForm ? fail(error.message) : rethrow(error);
  }
}

function textIn(object: JsonObject, member: string, name: string): string {
  const text = object[member];
  // As UTF-8, half of a surrogate pair would become another character.
  return typeof text === 'string' && text.isWellFormed() ? text : fail(`${name} has no valid ${member}`);
}

function hashOf(value: JsonValue): Uint8Array {
  const hash = typeof value === 'string' ? decodeBase64(value) : null;
  return hash?.length === HASH_BYTES ? hash : fail('a hash of the proof is not base64 of 32 bytes');
}

function fail(message: string): never {
  throw new LogProofError(message);
}

function rethrow(error: unknown): never {
  throw error;
}
