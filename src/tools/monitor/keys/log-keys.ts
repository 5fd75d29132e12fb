import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { Failure } from '../../../platform/failure.ts';
import { displayUrl, fetchOk, requireHttps } from '../../../platform/network/fetch.ts';
import { verifierKeyOf } from '../../../platform/tlog/verifier-key.ts';
import { type KeySourceOptions, logVerifierKeys } from '../../../platform/tlog/verifier-keys.ts';
import { bytesToHex, hexToBytes, isHex } from '../../../proof/encoding/hex.ts';
import { isStrictPublicKey } from '../../../proof/keys/ed25519.ts';
import { logOfPurpose } from '../../../proof/log/key-purposes.ts';
import type { KeyEntry } from '../../../proof/log/log-entry.ts';
import { commonOf, isOriginOf, LOG_NAMES, type LogName, originOf } from '../../../proof/log/log-names.ts';
import { formatVerifierKey, SIGNATURE_TYPES, type VerifierKey } from '../../../proof/log/note.ts';

/** A public key that signs a log's checkpoints. */
export interface LogKey {
  /** The only log that it signs. */
  log: LogName;
  algorithm: 'Ed25519' | 'ML-DSA-44';
  /** Lower-case hexadecimal. */
  publicKey: string;
}

/** A retired or compromised key. */
export interface EndedLogKey extends LogKey {
  event: 'retired' | 'compromised';
  /** RFC 3339. */
  at: string;
}

/**
 * The keys that a verifier trusts for an installation's logs. `origin` is the common part of the names of
 * verifier keys; null without verifier keys.
 */
export interface TrustedLogKeys {
  origin: string | null;
  keys: LogKey[];
}

const FETCHING = {
  maxBytes: 16 * 2 ** 20,
  timeoutMs: 10_000,
  failed: 'does not return log keys',
  hint: 'check that the service runs, or pass the keys with --log-key',
};
const PUBLIC_KEY_BYTES = { Ed25519: 32, 'ML-DSA-44': 1312 };

/**
 * Reads verifier keys (C2SP signed-note) from the command line: each argument is a key, or a file with one
 * key per line. Their names must be origins of one installation's logs. Each key is trusted only for its log.
 * @throws Failure
 */
export async function namedLogKeys(
  sources: readonly string[],
  { mayBeEmpty = false }: Pick<KeySourceOptions, 'mayBeEmpty'> = {},
): Promise<TrustedLogKeys> {
  const keys = await logVerifierKeys(sources, { log: 'keys', mayBeEmpty });
  const read = keys.map((key) => ({ ...key, log: logIn(key.name) }));
  const origins = new Set(read.map(({ name, log }) => commonOf({ origin: name, name: log })));
  const [origin, other] = origins;
  if (other !== undefined)
    throw new Failure(
      `the log keys belong to ${origin} and ${other}`,
      'pass the keys of one installation',
      2,
    );
  return { origin: origin ?? null, keys: unique(read.map(ofVerifier)) };
}

/** Returns the name of the log with an origin. @throws Failure */
function logIn(name: string): LogName {
  const log = LOG_NAMES.find((known) => isOriginOf(name, known));
  if (log !== undefined) return log;
  throw new Failure(`${name} is not the name of a log`, `it ends in /${LOG_NAMES.join(' or /')}`, 2);
}

function ofVerifier({ log, type, publicKey }: VerifierKey & Pick<LogKey, 'log'>): LogKey {
  return {
    log,
    algorithm: type === SIGNATURE_TYPES.ed25519 ? 'Ed25519' : 'ML-DSA-44',
    publicKey: bytesToHex(publicKey),
  };
}

/** Converts the key of a key log entry; null for a key that signs no checkpoints. */
export function logKeyOf({
  purpose,
  algorithm,
  public_key,
}: Pick<KeyEntry, 'purpose' | 'algorithm' | 'public_key'>): LogKey | null {
  const log = logOfPurpose(purpose);
  if (log === null) return null;
  return { log, algorithm: algorithm === 'Ed25519' ? 'Ed25519' : 'ML-DSA-44', publicKey: public_key };
}

/** Returns whether a key may sign for the log with this origin. */
export function signsFor({ log }: Pick<LogKey, 'log'>, origin: string): boolean {
  return isOriginOf(origin, log);
}

/** Refuses keys that cannot open the key log, which has the keys of the other logs. @throws Failure */
export function requireKeyLogKey(keys: readonly LogKey[]): void {
  if (keys.length === 0 || keys.some(({ log }) => log === 'keys')) return;
  throw new Failure(
    'none of the log keys is a key of the key log, which has the keys of the other logs',
    'get them in a way that you trust (GET /log/keys/vkeys of the service returns them), and pass them with --log-key',
    2,
  );
}

/** Removes duplicate keys. */
export function unique(keys: readonly LogKey[]): LogKey[] {
  return [
    ...new Map(
      keys.map(({ log, algorithm, publicKey }) => [`${log} ${publicKey}`, { log, algorithm, publicKey }]),
    ).values(),
  ];
}

/** Converts the keys of the log with this origin to verifier keys. The keys of other logs are left out. */
export function verifiersOf(keys: readonly LogKey[], origin: string): VerifierKey[] {
  return keys.filter((key) => signsFor(key, origin)).map((key) => verifierKeyOf(key, origin));
}

/** Formats a file for `namedLogKeys`. Ended keys are listed in comments. */
export function logKeysText(
  keys: readonly LogKey[],
  origin: string,
  ended: readonly EndedLogKey[] = [],
): string {
  const line = (key: LogKey): string =>
    verifiersOf([key], originOf(origin, key.log)).map(formatVerifierKey).join();
  return [...keys.map(line), ...ended.map((key) => `# ${key.event} at ${key.at}: ${line(key)}`)]
    .map((text) => `${text}\n`)
    .join('');
}

const Published = Type.Object({
  keys: Type.Array(
    Type.Object({
      public_key: Type.String(),
      algorithm: Type.String(),
      purpose: Type.String(),
      status: Type.String(),
    }),
  ),
});

/**
 * Fetches the log keys that the service publishes. An audit with these keys shows only that the service does
 * not contradict itself. Plain http is allowed only on this machine.
 * @throws Failure
 */
export async function serviceLogKeys(location: string): Promise<TrustedLogKeys> {
  const url = new URL('/api/v1/transparency/keys', location);
  requireHttps(url, 'log keys', 'use https, or pass the keys with --log-key');
  const bytes = await fetchOk(url.href, FETCHING);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Failure(`${displayUrl(url.href)} ${FETCHING.failed}: ${reason}`, FETCHING.hint);
  }
  if (!Value.Check(Published, value))
    throw new Failure(`${displayUrl(url.href)} does not return log keys`, 'pass them with --log-key');
  return { origin: null, keys: unique(publishedKeys(value, displayUrl(url.href))) };
}

function publishedKeys({ keys }: Static<typeof Published>, location: string): LogKey[] {
  // A thief can use a key for every purpose that it has.
  const stolen = new Set(
    keys.filter(({ status }) => status === 'compromised').map(({ public_key }) => public_key),
  );
  return keys
    .filter(({ public_key }) => !stolen.has(public_key))
    .flatMap(({ purpose, algorithm, public_key }) => {
      const log = logOfPurpose(purpose);
      if (log === null) return [];
      if (algorithm !== 'Ed25519' && algorithm !== 'ML-DSA-44')
        throw new Failure(
          `${location} returns a log key with the unknown algorithm ${algorithm.slice(0, 40)}`,
          'use a newer version of countersign, or pass the keys with --log-key',
        );
      const isSound = isHex(public_key, PUBLIC_KEY_BYTES[algorithm]);
      if (!isSound || (algorithm === 'Ed25519' && !isStrictPublicKey(hexToBytes(public_key)))) {
        throw new Failure(`${location} returns a log key that is not valid`, 'pass the keys with --log-key');
      }
      return [{ log, algorithm, publicKey: public_key }];
    });
}
