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

/** Separates messages for subtree signatures from all others that the same key may sign. */
const SUBTREE_LABEL = utf8.encode('subtree/v1\n\0');
/** The last second that a date can have (ECMA-262, 21.4.1.1), in the year 275760. */
const LAST_SECOND = 8_640_000_000_000;
const TIME_BYTES = 8;

/**
 * Returns the message that a key signs for a note, by the type of the signature:
 * - Ed25519 (0x01): the note's text (C2SP signed-note). `name` and `timestamp` are not used.
 * - Ed25519 cosignature (0x04): a header line and a line with the time, then the text (C2SP
 *   tlog-cosignature). `name` is not used.
 * - ML-DSA-44 (0x06): the structure `cosigned_message` (C2SP tlog-cosignature) for the whole tree of the
 *   checkpoint, without its extension lines.
 *
 * @param text the note's text; a checkpoint's for the types 0x04 and 0x06
 * @param name the key's name
 * @param timestamp the Unix time in seconds; 0 for an ML-DSA-44 signature that states no time
 * @throws CheckpointError for text that is not a checkpoint, with the types 0x04 and 0x06
 * @throws NoteError for another type, or names and origins of more than 255 bytes with ML-DSA-44
 * @throws RangeError for a timestamp that is not an integer from 0 to 8,640,000,000,000, the last date
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
      throw new NoteError(`signatures of type ${type} are not supported`);
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

/**
 * Encodes a signature with a time: the Unix time in seconds as a 64-bit big-endian integer, then the
 * signature. @throws RangeError for an invalid time
 */
export function cosignatureBytes(timestamp: number, signature: Uint8Array): Uint8Array {
  return concatenate([uint64(wholeSeconds(timestamp)), signature]);
}

/** The result of verifying one signature line with a known key. */
export interface SignatureCheck {
  key: VerifierKey;
  verified: boolean;
  /**
   * The Unix time in seconds in the signature; do not rely on it unless `verified`. Null when the signature
   * has none.
   */
  timestamp: number | null;
}

/**
 * Checks the signature lines of a note whose name and key id are those of one of `keys`: a check for each
 * line and key. Lines of other keys, and of types that this build cannot verify, have none. Never throws. A
 * time beyond the last date (8,640,000,000,000 seconds) is not verified, although C2SP has room for it.
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
  const timestamp = cosignatureTime(line.signature);
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

/** Returns the signed message; null when the text has none, so that no signature over it can be valid. */
function messageOrNull(key: VerifierKey, text: string, timestamp: number): Uint8Array | null {
  try {
    return signedMessage(key.type, text, key.name, timestamp);
  } catch (error) {
    if (!(error instanceof CheckpointError || error instanceof NoteError)) throw error;
    return null;
  }
}

/**
 * Returns the Unix time in seconds that the signature of a cosignature line states; null if it states none
 * that a date can have.
 */
export function cosignatureTime(signature: Uint8Array): number | null {
  if (signature.length < TIME_BYTES) return null;
  const view = new DataView(signature.buffer, signature.byteOffset);
  const seconds = Number(view.getBigUint64(0));
  return seconds <= LAST_SECOND ? seconds : null;
}

/** A checkpoint that its log has signed, with what was found of every known key. */
export interface OpenedCheckpoint {
  checkpoint: Checkpoint;
  note: Note;
  checks: SignatureCheck[];
}

/**
 * Parses a checkpoint and verifies its log signatures: at least one of `keys` must have signed it, and no
 * signature by one of them may be invalid. Pass only keys of the log, because one signature is enough; count
 * witnesses with `checkNote` afterwards. A key of type 0x01 counts only for the log whose origin is the key's
 * name, because its signature names no log. Extension lines that no verified signature covers are refused.
 *
 * @param trustedLogs the logs whose keys the command line names, for the message that names the origin; null
 * where the caller names it
 * @throws NoteError for bytes that are not a note, and for missing or invalid signatures
 * @throws CheckpointError for a note that is not a checkpoint
 */
export function openCheckpoint(
  primitives: Primitives,
  bytes: Uint8Array,
  keys: readonly VerifierKey[],
  trustedLogs: readonly string[] | null = null,
): OpenedCheckpoint {
  const note = parseNote(bytes);
  const checkpoint = parseCheckpoint(note.text);
  const entitled = keys.filter(
    ({ type, name }) => type !== SIGNATURE_TYPES.ed25519 || name === checkpoint.origin,
  );
  const checks = checkNote(primitives, note, entitled);
  const wrong = checks.find(({ verified }) => !verified);
  if (wrong !== undefined) throw new NoteError(`the signature by ${wrong.key.name} is invalid`);
  if (checks.length === 0) throw new NoteError(signedByNone(checkpoint, trustedLogs));
  if (checkpoint.extensions.length > 0 && checks.every(({ key }) => key.type === SIGNATURE_TYPES.mlDsa44)) {
    throw new NoteError('no signature covers the extension lines');
  }
  return { checkpoint, note, checks };
}

function signedByNone({ origin }: Checkpoint, trustedLogs: readonly string[] | null): string {
  const message = 'no trusted key has signed the checkpoint';
  if (trustedLogs === null) return message;
  const logs = [...new Set(trustedLogs)];
  const named = logs.length === 0 ? '' : `; the trusted log keys are for ${logs.join(', ')}`;
  return `${message} of ${origin}${named}`;
}

function wholeSeconds(timestamp: number): number {
  if (Number.isInteger(timestamp) && timestamp >= 0 && timestamp <= LAST_SECOND) return timestamp;
  throw new RangeError('a timestamp must be whole seconds from 0 to 8,640,000,000,000');
}

/** Encodes a vector of 1 to 255 bytes with a length prefix of one byte (RFC 8446 section 3.4). */
function shortText(text: string, what: string): Uint8Array {
  const bytes = utf8.encode(text);
  if (bytes.length < 1 || bytes.length > 255)
    throw new NoteError(`${what} in an ML-DSA-44 signature must have 1 to 255 bytes`);
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
