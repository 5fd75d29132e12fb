import { bytesToHex, hexToBytes, isHex } from '../encoding/hex.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../encoding/json.ts';
import { parseTimestamp } from '../encoding/timestamp.ts';
import { keyRows, readTerm, readTrustedKeys, TrustedKeysError } from '../keys/trusted-keys.ts';
import type { Primitives } from '../primitives.ts';
import { type Checkpoint, CheckpointError, parseCheckpoint } from './checkpoint.ts';
import { type ClosedLog, readClosedLogs } from './closed-log.ts';
import { logOfPurpose } from './key-purposes.ts';
import { commonOf, isOriginOf, LOG_NAMES, type LogName, originOf } from './log-names.ts';
import { keyIdOf, NoteError, parseNote, SIGNATURE_TYPES, type VerifierKey } from './note.ts';
import { openCheckpoint } from './note-signature.ts';

/**
 * The log that a key is trusted for. A name of a key is an origin. A key of a service's list is for the log
 * `<common>/<name>`, where `<common>/keys` is `log.origin` of the list; null if the list has none; and for
 * the closed logs of the name. `anyOf` is for every log of a name.
 */
type LogOfKey =
  | { origin: string }
  | { name: LogName; common: string | null; closed: readonly ClosedLog[] }
  | { anyOf: LogName };

/** A key that the verifier trusts to sign checkpoints of logs. */
export interface LogKey {
  log: LogOfKey;
  /** One of `SIGNATURE_TYPES`. */
  type: number;
  publicKey: Uint8Array;
  /** The Unix time in milliseconds after which the key signs no checkpoint; null while it has no end. */
  until: number | null;
}

const ML_DSA_44_BYTES = 1312;

/** No log has this name before its own: an origin is not empty before the slash. */
const NO_INSTALLATION = '';

/** The log keys in a service's key document. */
export interface PublishedLogKeys {
  trusted: LogKey[];
  /**
   * Public keys that are compromised for any purpose: anyone could forge a whole log with one that is a log's
   * key too.
   */
  compromised: Uint8Array[];
  /** The origin of the log of keys that the document names, `<common>/keys`; null if it names none. */
  keyLog: string | null;
  closedLogs: readonly ClosedLog[];
}

/**
 * Returns the keys without the closed logs: what must be new counts only in the log that continues. A list
 * that names that one as closed means none.
 */
export function ofOpenLogs(keys: readonly LogKey[]): LogKey[] {
  return keys.map((key) => {
    if (!('closed' in key.log)) return key;
    const { name, common, closed } = key.log;
    const isClosed = common !== null && closed.some(({ origin }) => origin === originOf(common, name));
    return { ...key, log: { name, common: isClosed ? NO_INSTALLATION : common, closed: [] } };
  });
}

/**
 * Returns the keys of a list that names no log as keys of any log of their names. Other keys stay as they
 * are.
 */
export function acceptingAnyLog(keys: readonly LogKey[]): LogKey[] {
  return keys.map((key) =>
    'common' in key.log && key.log.common === null ? { ...key, log: { anyOf: key.log.name } } : key,
  );
}

/**
 * Returns `log.origin` of a list of keys; null if it has no `log`. @throws TrustedKeysError for a `log` that
 * is not of its form
 */
function keyLogIn(document: JsonValue): string | null {
  const log = isJsonObject(document) ? (document.log ?? null) : null;
  if (log === null) return null;
  const origin = isJsonObject(log) ? log.origin : undefined;
  if (typeof origin !== 'string' || !isOriginOf(origin, 'keys') || origin === originOf('', 'keys'))
    throw new TrustedKeysError(
      'log.origin is not the name of a log of keys, which ends in /keys, so that nothing says which logs are meant',
    );
  return origin;
}

/**
 * Reads the keys of all logs, of both algorithms, from a document for `readTrustedKeys`. @throws
 * TrustedKeysError
 */
export function readLogKeys(primitives: Primitives, value: JsonValue): PublishedLogKeys {
  const keys = readTrustedKeys(primitives, value);
  const keyLog = keyLogIn(value);
  const closedLogs = readClosedLogs(value);
  const closed = byName(closedLogs);
  const common = keyLog === null ? null : commonOf({ origin: keyLog, name: 'keys' });
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
    .map((key) => ({
      log: { name: key.name, common, closed: closed.get(key.name) ?? [] },
      type: key.type,
      publicKey: key.publicKey,
      until: endOf(key),
    }));
  return { trusted, compromised, keyLog, closedLogs };
}

/** Returns closed logs by name. */
function byName(closedLogs: readonly ClosedLog[]): Map<string, ClosedLog[]> {
  const closed = new Map<string, ClosedLog[]>();
  for (const one of closedLogs) {
    const known = closed.get(one.log);
    if (known === undefined) closed.set(one.log, [one]);
    else known.push(one);
  }
  return closed;
}

/** A row of a list for one log. */
interface LogRow {
  name: LogName;
  publicKey: Uint8Array;
  valid_until: string | null;
}

/**
 * Returns what gives the end of a row's key: the earliest one of all rows of this key and log, null for none.
 */
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
   * The Unix time in milliseconds of the earliest signature by a trusted key; null when no signature has a
   * time. Plain Ed25519 signatures have no time, ML-DSA-44 signatures do.
   */
  time: number | null;
  /**
   * Of a closed log: whether it is the tree at its end (`final`), or an earlier one (`unbound`), which only
   * cosignatures show to be a beginning of it. Null for any other log.
   */
  closed: 'final' | 'unbound' | null;
}

/** A signed tree, as results show it. */
export interface SignedTree {
  /** The origin of the log. */
  log: string;
  /** Null where nothing signs it. */
  tree_size: number | null;
  /** RFC 3339; null if no signature of the log has a time. */
  signed_at: string | null;
  /** As in `TrustedCheckpoint`; absent for a log that is not closed. */
  closed?: 'final' | 'unbound';
}

/** Returns the tree of a checkpoint. */
export function signedTree({ origin, size, time, closed }: TrustedCheckpoint) {
  const signed_at = time === null ? null : new Date(time).toISOString();
  return { log: origin, tree_size: size, signed_at, ...(closed !== null && { closed }) };
}

/** The verdicts on what is of a log that does not count, although its key is trusted. */
export const LOG_VERDICTS = {
  wrong_log:
    'It is of another log than the one that is meant, with the same key. A log that log restart closed counts only if closed_logs of the list of keys, a log line of the policy, or --log-key names it.',
  log_not_named:
    'Nothing says which log is meant. Use a list of keys with log.origin, name the log with a log line of the policy or --log-key, or accept any log of these keys with --any-log.',
  closed_size_contradicted:
    'It is of a closed log, but larger than the log of keys says that this log had become, or of its size with another root. Show it and the list of keys to everyone who relies on the log.',
} as const;

export type LogVerdict = keyof typeof LOG_VERDICTS;

/** Returns whether a check says that what it checked is of a log that does not count. */
export function isLogVerdict(check: string): check is LogVerdict {
  return Object.hasOwn(LOG_VERDICTS, check);
}

/** Reports the checkpoint of a log that does not count, although a trusted key signed it. */
class OtherLogError extends NoteError {
  constructor(
    readonly verdict: LogVerdict,
    readonly checkpoint: TrustedCheckpoint,
    detail = '',
  ) {
    super(`${verdict}: ${checkpoint.origin}${detail}`);
  }
}

/**
 * Returns the problem of an error that `openTrusted` throws: that of another log is its verdict. Null for
 * other errors.
 */
export function checkpointProblem(
  error: unknown,
): { check: 'bad' | LogVerdict; message: string; checkpoint: TrustedCheckpoint | null } | null {
  if (error instanceof OtherLogError)
    return {
      check: error.verdict,
      message: `${error.message}: ${LOG_VERDICTS[error.verdict]}`,
      checkpoint: error.checkpoint,
    };
  const isBad = error instanceof NoteError || error instanceof CheckpointError;
  return isBad ? { check: 'bad', message: error.message, checkpoint: null } : null;
}

/**
 * Opens a checkpoint by `openCheckpoint` with the keys of its log. A key with an end is ignored when the
 * checkpoint has a later time.
 *
 * @throws OtherLogError for one that a trusted key signed, of a log of the right name that is not the one
 * that is meant, or that a closed log cannot have had
 * @throws NoteError for bytes that are not a note, and for missing or invalid signatures
 * @throws CheckpointError for a note that is not a checkpoint
 */
export function openTrusted(
  primitives: Primitives,
  bytes: Uint8Array,
  keys: readonly LogKey[],
): TrustedCheckpoint {
  const { origin } = parseCheckpoint(parseNote(bytes).text);
  const { own, verdict } = keysFor(keys, origin);
  const known = own.map((key) => ({ ...key, verifier: verifierKey(primitives, key, origin) }));
  const { checkpoint, checks } = openCheckpoint(
    primitives,
    bytes,
    known.map(({ verifier }) => verifier),
    keys.flatMap(({ log }) => ('origin' in log ? [log.origin] : [])),
  );
  const stated = earliest(checks);
  const inTime = checks.filter(({ key }) =>
    known.some(
      ({ verifier, until }) => verifier === key && (until === null || stated === null || stated <= until),
    ),
  );
  if (inTime.length === 0)
    throw new NoteError('the keys that signed the checkpoint were retired before its time');
  const opened = { ...checkpoint, time: earliest(inTime), closed: null };
  if (verdict !== null) throw new OtherLogError(verdict, opened);
  const end = closedLogOf(own, origin);
  if (end === null) return opened;
  const closed = placeIn(end, checkpoint);
  if (closed === null)
    throw new OtherLogError('closed_size_contradicted', opened, contradiction(end, checkpoint));
  return { ...opened, closed };
}

/** Returns the closed log with an origin, if a key is trusted for it as one; null for any other. */
function closedLogOf(keys: readonly LogKey[], origin: string): ClosedLog | null {
  const closed = keys.flatMap(({ log }) => ('closed' in log ? log.closed : []));
  return closed.find((one) => one.origin === origin) ?? null;
}

/** Returns where in a closed log a tree is; null if the log cannot have had it. */
function placeIn(end: ClosedLog, { size, root }: Checkpoint): 'final' | 'unbound' | null {
  if (size === end.tree_size) return bytesToHex(root) === end.root_hash ? 'final' : null;
  return size > end.tree_size && end.certain ? null : 'unbound';
}

/** Returns how a tree contradicts the end of its closed log. */
function contradiction(end: ClosedLog, { size }: Checkpoint): string {
  return size === end.tree_size
    ? `, of ${size} entries, with another root than closed_logs says`
    : `, of ${size} entries, but closed_logs says ${end.tree_size}`;
}

/**
 * Returns the keys that are trusted for the log with this origin. If there are none, it returns those that
 * are trusted for another log of the same name, and the verdict on what they signed.
 */
export function keysFor(
  keys: readonly LogKey[],
  origin: string,
): { own: LogKey[]; verdict: LogVerdict | null } {
  const own = keys.filter((key) => isTrustedFor(key, origin));
  if (own.length > 0) return { own, verdict: null };
  const ofName = keys.filter((key) => signsFor(key, origin));
  const isUnnamed = ofName.some(({ log }) => 'common' in log && log.common === null);
  return { own: ofName, verdict: isUnnamed ? 'log_not_named' : 'wrong_log' };
}

function isTrustedFor({ log }: LogKey, origin: string): boolean {
  if ('anyOf' in log) return isOriginOf(origin, log.anyOf);
  if ('origin' in log) return log.origin === origin;
  if (log.common === null) return false;
  return originOf(log.common, log.name) === origin || log.closed.some((closed) => closed.origin === origin);
}

/**
 * Returns whether a key is for a log of the name of this one, which may be another than the log that the key
 * is trusted for.
 */
function signsFor({ log }: LogKey, origin: string): boolean {
  if ('anyOf' in log) return isOriginOf(origin, log.anyOf);
  if ('name' in log) return isOriginOf(origin, log.name);
  const name = LOG_NAMES.find((known) => isOriginOf(log.origin, known));
  return log.origin === origin || (name !== undefined && isOriginOf(origin, name));
}

function verifierKey(primitives: Primitives, { type, publicKey }: LogKey, name: string): VerifierKey {
  return { name, type, publicKey, keyId: keyIdOf(primitives, name, type, publicKey) };
}

/**
 * Returns the earliest time in milliseconds; null for none. The time 0 means "not stated" (C2SP
 * tlog-cosignature).
 */
function earliest(checks: readonly { timestamp: number | null }[]): number | null {
  const seconds = checks.map(({ timestamp }) => timestamp ?? 0).filter((time) => time > 0);
  return seconds.length === 0 ? null : Math.min(...seconds) * 1000;
}
