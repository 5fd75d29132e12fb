import { verifyStrict } from '../keys/ed25519.ts';
import type { Primitives } from '../primitives.ts';
import { type Checkpoint, CheckpointError, parseCheckpoint } from './checkpoint.ts';
import {
  type Note,
  NoteError,
  type NoteSignature,
  parseNote,
  SIGNATURE_TYPES,
  type VerifierKey,
} from './note.ts';

const utf8 = new TextEncoder();

/** Parts the messages of a subtree's signature from all others that the same key may sign. */
const SUBTREE_LABEL = utf8.encode('subtree/v1\n\0');
const TIME_BYTES = 8;

/**
 * What a key signs of a note, by the type of its signature:
 * - Ed25519 (0x01): the note's text as it stands (C2SP signed-note). `name` and `timestamp` play no part.
 * - Cosignature by Ed25519 (0x04): two lines with the time, then the text (C2SP tlog-cosignature). `name` plays no part.
 * - ML-DSA-44 (0x06): the structure `cosigned_message` (C2SP tlog-cosignature) for the whole tree of the checkpoint. Its
 *   extension lines are not in it.
 *
 * @param text the note's text; a checkpoint's for the types 0x04 and 0x06
 * @param name the key's
 * @param timestamp seconds since 1970; 0 for a signer by ML-DSA-44 that says nothing about time
 * @throws CheckpointError for text that is no checkpoint where it has to be one
 * @throws NoteError for another type, or names and origins of more than 255 bytes under ML-DSA-44
 * @throws RangeError for a timestamp that is no integer from 0 to 2^53 − 1
 */
export function signedMessage(type: number, text: string, name: string, timestamp: number): Uint8Array {
  switch (type) {
    case SIGNATURE_TYPES.ed25519:
      return utf8.encode(text);
    case SIGNATURE_TYPES.cosignature:
      parseCheckpoint(text);
      return utf8.encode(`cosignature/v1\ntime ${wholeSeconds(timestamp)}\n${text}`);
    case SIGNATURE_TYPES.mlDsa44:
      return subtreeMessage(parseCheckpoint(text), name, timestamp);
    default:
      throw new NoteError(`no message is known for signatures of type ${type}`);
  }
}

function subtreeMessage(checkpoint: Checkpoint, name: string, timestamp: number): Uint8Array {
  return concatenate([
    SUBTREE_LABEL,
    shortText(name, 'a name'),
    uint64(wholeSeconds(timestamp)),
    shortText(checkpoint.origin, 'an origin'),
    uint64(0),
    uint64(checkpoint.size),
    checkpoint.root,
  ]);
}

/** The bytes of a signature with a time: seconds since 1970, big-endian in 64 bits, then the signature proper. @throws RangeError for a time that is none */
export function cosignatureBytes(timestamp: number, signature: Uint8Array): Uint8Array {
  return concatenate([uint64(wholeSeconds(timestamp)), signature]);
}

/** What became of one signature line by a key that the reader knows. */
export interface SignatureCheck {
  key: VerifierKey;
  verified: boolean;
  /** Seconds since 1970 that the signature states, which are worth nothing unless it is verified; null where it states none. */
  timestamp: number | null;
}

/**
 * Checks the signature lines of a note whose name and key id are those of one of `keys`: a check for each line and
 * key. Lines of other keys, and of types that this build cannot verify, have none. Never throws. A time beyond
 * 2^53 − 1 is not verified, although C2SP has room for it: no clock says it.
 */
export function checkNote(
  primitives: Primitives,
  note: Note,
  keys: readonly VerifierKey[],
): SignatureCheck[] {
  return note.signatures.flatMap((line) =>
    keys
      .filter((key) => key.name === line.name && key.keyId === line.keyId && isVerifiable(primitives, key))
      .map((key) => check(primitives, note.text, line, key)),
  );
}

function isVerifiable(primitives: Primitives, { type }: VerifierKey): boolean {
  if (type === SIGNATURE_TYPES.mlDsa44) return primitives.mlDsa44Verify !== undefined;
  return type === SIGNATURE_TYPES.ed25519 || type === SIGNATURE_TYPES.cosignature;
}

function check(primitives: Primitives, text: string, line: NoteSignature, key: VerifierKey): SignatureCheck {
  if (key.type === SIGNATURE_TYPES.ed25519) {
    const verified = verifyStrict(primitives, line.signature, utf8.encode(text), key.publicKey);
    return { key, verified, timestamp: null };
  }
  const timestamp = timeOf(line.signature);
  const message = timestamp === null ? null : messageOrNull(key, text, timestamp);
  const signature = line.signature.subarray(TIME_BYTES);
  return { key, verified: message !== null && verifies(primitives, key, signature, message), timestamp };
}

function verifies(
  primitives: Primitives,
  { type, publicKey }: VerifierKey,
  signature: Uint8Array,
  message: Uint8Array,
): boolean {
  return type === SIGNATURE_TYPES.mlDsa44
    ? primitives.mlDsa44Verify?.(signature, message, publicKey) === true
    : verifyStrict(primitives, signature, message, publicKey);
}

/** Nobody can have signed what has no message. */
function messageOrNull(key: VerifierKey, text: string, timestamp: number): Uint8Array | null {
  try {
    return signedMessage(key.type, text, key.name, timestamp);
  } catch (error) {
    if (!(error instanceof CheckpointError || error instanceof NoteError)) throw error;
    return null;
  }
}

function timeOf(signature: Uint8Array): number | null {
  if (signature.length < TIME_BYTES) return null;
  const view = new DataView(signature.buffer, signature.byteOffset);
  const seconds = Number(view.getBigUint64(0));
  return Number.isSafeInteger(seconds) ? seconds : null;
}

/** A checkpoint that its log has signed, with what was found of every known key. */
export interface OpenedCheckpoint {
  checkpoint: Checkpoint;
  note: Note;
  checks: SignatureCheck[];
}

/**
 * Opens a checkpoint: at least one of `keys` has signed it, and none of them wrongly. `keys` are those of the log: one
 * signature is enough, so a witness among them could speak for it; witnesses are counted by `checkNote` afterwards. A
 * key of type 0x01 speaks for the log of its own name alone, since its signature says nothing else. Extension lines
 * that no verified signature covers are refused.
 *
 * @throws NoteError for bytes that are no note, and for signatures that are missing or wrong
 * @throws CheckpointError for a note that is no checkpoint
 */
export function openCheckpoint(
  primitives: Primitives,
  bytes: Uint8Array,
  keys: readonly VerifierKey[],
): OpenedCheckpoint {
  const note = parseNote(bytes);
  const checkpoint = parseCheckpoint(note.text);
  const entitled = keys.filter(
    ({ type, name }) => type !== SIGNATURE_TYPES.ed25519 || name === checkpoint.origin,
  );
  const checks = checkNote(primitives, note, entitled);
  const wrong = checks.find(({ verified }) => !verified);
  if (wrong !== undefined) throw new NoteError(`the signature by ${wrong.key.name} does not verify`);
  if (checks.length === 0) throw new NoteError('no trusted key has signed the checkpoint');
  if (checkpoint.extensions.length > 0 && checks.every(({ key }) => key.type === SIGNATURE_TYPES.mlDsa44)) {
    throw new NoteError('no signature covers the extension lines');
  }
  return { checkpoint, note, checks };
}

function wholeSeconds(timestamp: number): number {
  if (Number.isSafeInteger(timestamp) && timestamp >= 0) return timestamp;
  throw new RangeError('a timestamp is whole seconds from 0 to 2^53 − 1');
}

/** A vector of up to 255 bytes behind one byte of length (RFC 8446 section 3.4). */
function shortText(text: string, what: string): Uint8Array {
  const bytes = utf8.encode(text);
  if (bytes.length < 1 || bytes.length > 255)
    throw new NoteError(`${what} signed by ML-DSA-44 has 1 to 255 bytes`);
  return concatenate([Uint8Array.of(bytes.length), bytes]);
}

function uint64(number: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(number));
  return bytes;
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
