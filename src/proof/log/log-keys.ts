import { equalBytes } from '../encoding/equal-bytes.ts';
import { hexToBytes, isHex } from '../encoding/hex.ts';
import type { JsonObject, JsonValue } from '../encoding/json.ts';
import { parseTimestamp } from '../encoding/timestamp.ts';
import { keyRows, readTerm, readTrustedKeys, TrustedKeysError } from '../keys/trusted-keys.ts';
import type { Primitives } from '../primitives.ts';
import { type Checkpoint, parseCheckpoint } from './checkpoint.ts';
import { keyIdOf, NoteError, parseNote, SIGNATURE_TYPES, type VerifierKey } from './note.ts';
import { openCheckpoint } from './note-signature.ts';

/** A key that the reader trusts to sign the checkpoints of logs. */
export interface LogKey {
  /** The origin of the one log that it signs; null for a service's own key, which signs all its logs. */
  origin: string | null;
  /** One of `SIGNATURE_TYPES`. */
  type: number;
  publicKey: Uint8Array;
  /** Milliseconds since 1970 after which a checkpoint cannot be its; null while it has no end. */
  until: number | null;
}

const ML_DSA_44_BYTES = 1312;

/** What a service's document says of the keys of its logs. */
export interface PublishedLogKeys {
  trusted: LogKey[];
  /** Public keys with which anyone could have made up a whole log. */
  compromised: Uint8Array[];
}

/** The keys of purpose `log`, of both algorithms, in a document that `readTrustedKeys` reads. @throws TrustedKeysError */
export function readLogKeys(primitives: Primitives, value: JsonValue): PublishedLogKeys {
  const classical = readTrustedKeys(primitives, value)
    .filter(({ purpose }) => purpose === 'log')
    .map((key) => ({ ...key, type: SIGNATURE_TYPES.ed25519, publicKey: hexToBytes(key.public_key) }));
  const postQuantum = keyRows(value, 'ML-DSA-44')
    .filter(({ purpose }) => purpose === 'log')
    .map((row) => ({ ...readTerm(row), type: SIGNATURE_TYPES.mlDsa44, publicKey: mlDsaKeyIn(row) }));
  const all = [...classical, ...postQuantum];
  const compromised = all.filter(({ status }) => status === 'compromised').map(({ publicKey }) => publicKey);
  const trusted = all
    .filter(({ publicKey }) => !compromised.some((other) => equalBytes(other, publicKey)))
    .map(({ type, publicKey, valid_until }) => ({
      origin: null,
      type,
      publicKey,
      until: valid_until === null ? null : parseTimestamp(valid_until),
    }));
  return { trusted, compromised };
}

function mlDsaKeyIn({ public_key }: JsonObject): Uint8Array {
  if (typeof public_key === 'string' && isHex(public_key, ML_DSA_44_BYTES)) return hexToBytes(public_key);
  throw new TrustedKeysError('public_key of an ML-DSA-44 key is not 2,624 lower-case hexadecimal characters');
}

/** A key that was named by itself, for the log of its own name. */
export function logKeyOf({ name, type, publicKey }: VerifierKey): LogKey {
  return { origin: name, type, publicKey, until: null };
}

/** A checkpoint that a trusted key has signed. */
export interface TrustedCheckpoint extends Checkpoint {
  /**
   * Milliseconds since 1970 at which it was signed, the earliest that a trusted key states; null where none does. Plain
   * Ed25519 states no time, ML-DSA-44 does.
   */
  time: number | null;
}

/**
 * Opens a checkpoint by `openCheckpoint` with those of `keys` that are its log's. A key with an end counts for nothing
 * where the checkpoint states a later time.
 *
 * @throws NoteError for bytes that are no note, and for signatures that are missing or wrong
 * @throws CheckpointError for a note that is no checkpoint
 */
export function openTrusted(
  primitives: Primitives,
  bytes: Uint8Array,
  keys: readonly LogKey[],
): TrustedCheckpoint {
  const { origin } = parseCheckpoint(parseNote(bytes).text);
  const known = keys
    .filter((key) => key.origin === null || key.origin === origin)
    .map((key) => ({ ...key, verifier: verifierKey(primitives, key, origin) }));
  const { checkpoint, checks } = openCheckpoint(
    primitives,
    bytes,
    known.map(({ verifier }) => verifier),
  );
  const stated = earliest(checks);
  const inTime = checks.filter(({ key }) =>
    known.some(
      ({ verifier, until }) => verifier === key && (until === null || stated === null || stated <= until),
    ),
  );
  if (inTime.length === 0) throw new NoteError('the keys that signed the checkpoint were retired before');
  return { ...checkpoint, time: earliest(inTime) };
}

function verifierKey(primitives: Primitives, { type, publicKey }: LogKey, name: string): VerifierKey {
  return { name, type, publicKey, keyId: keyIdOf(primitives, name, type, publicKey) };
}

/** A signature with the time 0 says nothing about time (C2SP tlog-cosignature). */
function earliest(checks: readonly { timestamp: number | null }[]): number | null {
  const seconds = checks.map(({ timestamp }) => timestamp ?? 0).filter((time) => time > 0);
  return seconds.length === 0 ? null : Math.min(...seconds) * 1000;
}
