import { bytesToHex, hexToBytes, isHex } from '../encoding/hex.ts';
import type { JsonObject, JsonValue } from '../encoding/json.ts';
import { parseTimestamp } from '../encoding/timestamp.ts';
import { keyRows, readTerm, readTrustedKeys, TrustedKeysError } from '../keys/trusted-keys.ts';
import type { Primitives } from '../primitives.ts';
import { type Checkpoint, parseCheckpoint } from './checkpoint.ts';
import { logOfPurpose } from './key-purposes.ts';
import { isOriginOf, type LogName } from './log-names.ts';
import { keyIdOf, NoteError, parseNote, SIGNATURE_TYPES, type VerifierKey } from './note.ts';
import { openCheckpoint } from './note-signature.ts';

/** A key that the verifier trusts to sign checkpoints of logs. */
export interface LogKey {
  /** The only log that it signs: by its origin, or by its name for a key of a service's key document, which has no origins. */
  log: { origin: string } | { name: LogName };
  /** One of `SIGNATURE_TYPES`. */
  type: number;
  publicKey: Uint8Array;
  /** The Unix time in milliseconds after which the key signs no checkpoint; null while it has no end. */
  until: number | null;
}

const ML_DSA_44_BYTES = 1312;

/** The log keys in a service's key document. */
export interface PublishedLogKeys {
  trusted: LogKey[];
  /** Public keys that are compromised for any purpose: anyone could forge a whole log with one that is a log's key too. */
  compromised: Uint8Array[];
}

/** Reads the keys of all logs, of both algorithms, from a document for `readTrustedKeys`. @throws TrustedKeysError */
export function readLogKeys(primitives: Primitives, value: JsonValue): PublishedLogKeys {
  const keys = readTrustedKeys(primitives, value);
  const classical = keys.flatMap((key) => {
    const name = logOfPurpose(key.purpose);
    if (name === null) return [];
    return [{ ...key, name, type: SIGNATURE_TYPES.ed25519, publicKey: hexToBytes(key.public_key) }];
  });
  const postQuantumRows = keyRows(value, 'ML-DSA-44');
  const postQuantum = postQuantumRows.flatMap((row) => {
    const name = typeof row.purpose === 'string' ? logOfPurpose(row.purpose) : null;
    if (name === null) return [];
    return [{ ...readTerm(row), name, type: SIGNATURE_TYPES.mlDsa44, publicKey: mlDsaKeyIn(row) }];
  });
  const all = [...classical, ...postQuantum];
  const stolen = new Set(
    [...keys, ...postQuantumRows.filter(hasMlDsaKey)]
      .filter(({ status }) => status === 'compromised')
      .map(({ public_key }) => public_key),
  );
  const compromised = [...stolen].map(hexToBytes);
  const endOf = earliestEnds(all);
  const trusted = all
    .filter(({ publicKey }) => !stolen.has(bytesToHex(publicKey)))
    .map((key) => ({ log: { name: key.name }, type: key.type, publicKey: key.publicKey, until: endOf(key) }));
  return { trusted, compromised };
}

/** A row of a list for one log. */
interface LogRow {
  name: LogName;
  publicKey: Uint8Array;
  valid_until: string | null;
}

/** Returns what gives the end of a row's key: the earliest one of all rows of this key and log, null for none. */
function earliestEnds(rows: readonly LogRow[]): (row: LogRow) => number | null {
  const idOf = ({ name, publicKey }: LogRow): string => `${name} ${bytesToHex(publicKey)}`;
  const ends = new Map<string, number>();
  for (const row of rows) {
    const end = row.valid_until === null ? null : parseTimestamp(row.valid_until);
    if (end !== null) ends.set(idOf(row), Math.min(end, ends.get(idOf(row)) ?? end));
  }
  return (row) => ends.get(idOf(row)) ?? null;
}

function hasMlDsaKey(row: JsonObject): row is JsonObject & { public_key: string } {
  return typeof row.public_key === 'string' && isHex(row.public_key, ML_DSA_44_BYTES);
}

function mlDsaKeyIn(row: JsonObject): Uint8Array {
  if (hasMlDsaKey(row)) return hexToBytes(row.public_key);
  throw new TrustedKeysError('public_key of an ML-DSA-44 key is not 2,624 lower-case hexadecimal characters');
}

/** Converts a verifier key into a log key for the log whose origin is the key's name. */
export function logKeyOf({ name, type, publicKey }: VerifierKey): LogKey {
  return { log: { origin: name }, type, publicKey, until: null };
}

/** A checkpoint with the signature of a trusted key. */
export interface TrustedCheckpoint extends Checkpoint {
  /**
   * The Unix time in milliseconds of the earliest signature by a trusted key; null when no signature has a time. Plain Ed25519
   * signatures have no time, ML-DSA-44 signatures do.
   */
  time: number | null;
}

/**
 * Opens a checkpoint by `openCheckpoint` with the keys of its log. A key with an end is ignored when the checkpoint has a
 * later time.
 *
 * @throws NoteError for bytes that are not a note, and for missing or invalid signatures
 * @throws CheckpointError for a note that is not a checkpoint
 */
export function openTrusted(
  primitives: Primitives,
  bytes: Uint8Array,
  keys: readonly LogKey[],
): TrustedCheckpoint {
  const { origin } = parseCheckpoint(parseNote(bytes).text);
  const known = keys
    .filter((key) => signsFor(key, origin))
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
  if (inTime.length === 0)
    throw new NoteError('the keys that signed the checkpoint were retired before its time');
  return { ...checkpoint, time: earliest(inTime) };
}

/** Returns whether a key may sign for the log with this origin. */
export function signsFor({ log }: LogKey, origin: string): boolean {
  return 'origin' in log ? log.origin === origin : isOriginOf(origin, log.name);
}

function verifierKey(primitives: Primitives, { type, publicKey }: LogKey, name: string): VerifierKey {
  return { name, type, publicKey, keyId: keyIdOf(primitives, name, type, publicKey) };
}

/** Returns the earliest time in milliseconds; null for none. The time 0 means "not stated" (C2SP tlog-cosignature). */
function earliest(checks: readonly { timestamp: number | null }[]): number | null {
  const seconds = checks.map(({ timestamp }) => timestamp ?? 0).filter((time) => time > 0);
  return seconds.length === 0 ? null : Math.min(...seconds) * 1000;
}
