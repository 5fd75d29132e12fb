import { decodeBase64, encodeBase64 } from '../encoding/base64.ts';
import { isHex } from '../encoding/hex.ts';
import { isStrictPublicKey } from '../keys/ed25519.ts';
import type { Primitives } from '../primitives.ts';

/** A signed note: text, followed by signatures (C2SP signed-note). */
export interface Note {
  /** One or more lines, with the final newline. */
  text: string;
  signatures: NoteSignature[];
}

/** One signature line: `— name base64(key id || signature)`. */
export interface NoteSignature {
  /** Not empty; without Unicode spaces and plus signs. */
  name: string;
  /**
   * An unsigned 32-bit integer. It identifies a key together with `name`; it is too short to be a secure
   * hash.
   */
  keyId: number;
  /** The bytes after the key id's four bytes; at least one. */
  signature: Uint8Array;
}

/**
 * Reports bytes that are not a signed note, text that is not a verifier key, or a note without the required
 * signatures.
 */
export class NoteError extends Error {
  override readonly name = 'NoteError';
}

/** C2SP signed-note requires at least 16. An ML-DSA-44 signature line has about 3.3 kB. */
const MAX_SIGNATURES = 64;
const MAX_NOTE_BYTES = 1_048_576;
const KEY_ID_BYTES = 4;
const SIGNATURE_START = '— ';

const fromUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const toUtf8 = new TextEncoder();

/**
 * Parses a signed note (C2SP signed-note, Format): UTF-8 without control characters except newline; the last
 * empty line separates text and signatures; every signature line is well formed, including those of unknown
 * keys; canonical base64; at most 64 signatures and 1 MiB. It verifies no signature. @throws NoteError
 */
export function parseNote(bytes: Uint8Array): Note {
  if (bytes.length > MAX_NOTE_BYTES) return fail('a note has at most 1 MiB');
  let whole: string;
  try {
    whole = fromUtf8.decode(bytes);
  } catch {
    return fail('the note is not UTF-8');
  }
  return readNote(whole);
}

/** The newest note: a verifier reads each several times, and those of a list often have the same. */
let newest: { whole: string; note: Note } | null = null;

function readNote(whole: string): Note {
  if (newest?.whole !== whole) newest = { whole, note: noteIn(whole) };
  const { text, signatures } = newest.note;
  return { text, signatures: [...signatures] };
}

function noteIn(whole: string): Note {
  if (!isNoteText(whole)) return fail('the note has a control character other than newline');
  const end = whole.lastIndexOf('\n\n');
  if (end === -1) return fail('the note has no empty line between text and signatures');
  return { text: whole.slice(0, end + 1), signatures: readLines(whole.slice(end + 2)) };
}

/**
 * Formats a note; `parseNote` parses its UTF-8.
 * @throws NoteError for a note that `parseNote` refuses or parses differently
 */
export function formatNote(note: Note): string {
  if (!note.text.endsWith('\n')) return fail('the text of the note does not end with a newline');
  const whole = `${note.text}\n${note.signatures.map(signatureLine).join('')}`;
  if (toUtf8.encode(whole).length > MAX_NOTE_BYTES) return fail('a note has at most 1 MiB');
  readNote(whole);
  return whole;
}

/** Formats a signature line with its newline. @throws NoteError for an invalid name, key id or signature */
export function signatureLine({ name, keyId, signature }: NoteSignature): string {
  if (!isKeyName(name)) return fail('a key name must not be empty or contain a space or a plus sign');
  if (!Number.isInteger(keyId) || keyId < 0 || keyId > 0xffff_ffff)
    return fail('a key id must be an unsigned 32-bit integer');
  if (signature.length === 0) return fail('a signature must have at least one byte');
  const bytes = new Uint8Array(KEY_ID_BYTES + signature.length);
  new DataView(bytes.buffer).setUint32(0, keyId);
  bytes.set(signature, KEY_ID_BYTES);
  return `${SIGNATURE_START}${name} ${encodeBase64(bytes)}\n`;
}

/**
 * Parses signature lines without a note, as in a witness's response (C2SP tlog-witness, add-checkpoint): 1 to
 * 64 lines, each with a newline. @throws NoteError
 */
export function parseSignatureLines(text: string): NoteSignature[] {
  if (text.length > MAX_NOTE_BYTES) return fail('signature lines have at most 1 MiB');
  if (!isNoteText(text)) return fail('the signature lines have a control character other than newline');
  return readLines(text);
}

function readLines(text: string): NoteSignature[] {
  const lines = text.split('\n');
  if (lines.pop() !== '' || lines.length === 0) return fail('the note does not end with signature lines');
  if (lines.length > MAX_SIGNATURES) return fail(`a note has at most ${MAX_SIGNATURES} signatures`);
  return lines.map(readLine);
}

function readLine(line: string): NoteSignature {
  const [name = '', base64 = '', ...rest] = line.slice(SIGNATURE_START.length).split(' ');
  if (!line.startsWith(SIGNATURE_START) || !isKeyName(name) || rest.length > 0) {
    return fail('a signature line is not an em dash, a key name and base64, separated by single spaces');
  }
  const bytes = decodeBase64(base64);
  if (bytes === null || bytes.length <= KEY_ID_BYTES) {
    return fail(`the signature by ${name} is not base64 of a key id and a signature`);
  }
  return { name, keyId: firstUint32(bytes), signature: bytes.subarray(KEY_ID_BYTES) };
}

/**
 * Returns whether text is allowed in a note: well-formed UTF-16, and no control character below U+0020 except
 * newline.
 */
export function isNoteText(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x20 && code !== 0x0a) return false;
  }
  return text.isWellFormed();
}

/** Returns whether text is a key name. White_Space includes newline. */
export function isKeyName(name: string): boolean {
  return name !== '' && isNoteText(name) && !/[\p{White_Space}+]/u.test(name);
}

/** The assigned signature types that this program supports (C2SP signed-note, Signature types). */
export const SIGNATURE_TYPES = {
  /** Ed25519 over the text of the note. */
  ed25519: 0x01,
  /** Ed25519 over a time and the text of a checkpoint (C2SP tlog-cosignature). */
  cosignature: 0x04,
  /** ML-DSA-44 over a time, the signer's name and the tree of a checkpoint (C2SP tlog-cosignature). */
  mlDsa44: 0x06,
} as const;

const PUBLIC_KEY_BYTES = new Map<number, number>([
  [SIGNATURE_TYPES.ed25519, 32],
  [SIGNATURE_TYPES.cosignature, 32],
  [SIGNATURE_TYPES.mlDsa44, 1312],
]);

/** A public key and the name in its signature lines. */
export interface VerifierKey {
  name: string;
  keyId: number;
  /** One of `SIGNATURE_TYPES`. */
  type: number;
  /** 32 bytes for Ed25519, 1,312 for ML-DSA-44. */
  publicKey: Uint8Array;
}

/**
 * Returns the id of a key: the first 32 bits of SHA-256(name || newline || type || public key), big-endian.
 */
export function keyIdOf(primitives: Primitives, name: string, type: number, publicKey: Uint8Array): number {
  const start = toUtf8.encode(`${name}\n`);
  const named = new Uint8Array(start.length + 1 + publicKey.length);
  named.set(start);
  named[start.length] = type;
  named.set(publicKey, start.length + 1);
  return firstUint32(primitives.sha256(named));
}

/**
 * Parses a verifier key, `name+hex(key id)+base64(type || public key)`. The type must be one of
 * `SIGNATURE_TYPES`, the public key must have its length and, for Ed25519, pass `isStrictPublicKey`, and the
 * key id must match.
 *
 * @throws NoteError
 */
export function parseVerifierKey(primitives: Primitives, vkey: string): VerifierKey {
  const [, name = '', id = '', base64 = ''] = /^([^+]*)\+([^+]*)\+(.*)$/su.exec(vkey) ?? [];
  if (!isKeyName(name) || !isHex(id, KEY_ID_BYTES)) {
    return fail(
      `a verifier key must be a key name, a key id and base64, separated by plus signs, and ${quoted(vkey)} is not`,
    );
  }
  const bytes = decodeBase64(base64);
  if (bytes === null) return fail(`the base64 of the verifier key of ${name} is damaged`);
  const [type = 0] = bytes;
  const publicKey = bytes.slice(1);
  const length = PUBLIC_KEY_BYTES.get(type);
  if (length === undefined)
    return fail(`the verifier key of ${name} has type ${type}, and only types 1, 4 and 6 are supported`);
  if (publicKey.length !== length)
    return fail(`the verifier key of ${name} has ${publicKey.length} bytes instead of ${length}`);
  if (type !== SIGNATURE_TYPES.mlDsa44 && !isStrictPublicKey(publicKey)) {
    return fail(`the verifier key of ${name} is not a canonical key of full order`);
  }
  const keyId = keyIdOf(primitives, name, type, publicKey);
  if (hexOf(keyId) !== id) return fail(`the key id ${id} does not match the verifier key of ${name}`);
  return { name, keyId, type, publicKey };
}

/** Formats a verifier key for `parseVerifierKey`. */
export function formatVerifierKey({ name, keyId, type, publicKey }: VerifierKey): string {
  return `${name}+${hexOf(keyId)}+${encodeBase64(Uint8Array.of(type, ...publicKey))}`;
}

/** Quotes the beginning of a text in an error message. */
function quoted(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}

function hexOf(keyId: number): string {
  return keyId.toString(16).padStart(KEY_ID_BYTES * 2, '0');
}

function firstUint32(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
}

function fail(message: string): never {
  throw new NoteError(message);
}
