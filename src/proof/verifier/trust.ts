import { equalBytes } from '../encoding/equal-bytes.ts';
import { hexToBytes } from '../encoding/hex.ts';
import type { JsonValue } from '../encoding/json.ts';
import { issuerInKeys, type TrustedIssuer } from '../keys/trusted-issuer.ts';
import { readTrustedKeys, type TrustedKey } from '../keys/trusted-keys.ts';
import type { ClosedLog } from '../log/closed-log.ts';
import { acceptingAnyLog, type LogKey, logKeyOf, readLogKeys } from '../log/log-keys.ts';
import type { LogPolicy } from '../log/log-policy.ts';
import type { VerifierKey } from '../log/note.ts';
import type { Primitives } from '../primitives.ts';
import type { Trust } from './values/context.ts';

/** The keys that the verifier trusts: for receipts and statuses, and for logs. */
export interface VerifierKeys {
  keys: TrustedKey[];
  /** The issuer that the list names; null for a list without it. */
  issuer?: TrustedIssuer | null;
  logKeys: LogKey[];
  /** Compromised public keys of logs, which must not be trusted even if somebody names them. */
  compromisedLogKeys: Uint8Array[];
  /** The origin of the log of keys that the list names; null for a list without it. */
  keyLog: string | null;
  /** The closed logs that the list names. */
  closedLogs: readonly ClosedLog[];
}

/** What is trusted without a list of keys. */
export const NO_KEYS: VerifierKeys = {
  keys: [],
  logKeys: [],
  compromisedLogKeys: [],
  keyLog: null,
  closedLogs: [],
};

/**
 * Reads the trusted keys in a saved response of /api/v1/transparency/keys.
 * @param acceptsAnyLog accepts any log of the keys if the list names none
 * @throws TrustedKeysError
 */
export function verifierKeysIn(
  primitives: Primitives,
  document: JsonValue,
  acceptsAnyLog = false,
): VerifierKeys {
  const { trusted, compromised, keyLog, closedLogs } = readLogKeys(primitives, document);
  return {
    keys: readTrustedKeys(primitives, document),
    issuer: issuerInKeys(document),
    logKeys: acceptsAnyLog ? acceptingAnyLog(trusted) : trusted,
    compromisedLogKeys: compromised,
    keyLog,
    closedLogs,
  };
}

/** What the verifier trusts, and the closed logs that its list of keys names. */
export type VerifierTrust = Trust & Pick<VerifierKeys, 'closedLogs'>;

/** Why a policy or a log key is refused. */
export class TrustError extends Error {
  override readonly name = 'TrustError';
  constructor(
    message: string,
    /** The witness of the policy, by its name there; null for a log key. */
    readonly witness: string | null,
  ) {
    super(message);
  }
}

/**
 * Returns what is trusted by a list of keys and a policy.
 *
 * The keys of the policy's `log` lines may sign logs, else the named ones, else those of the list of keys.
 * @param named log keys; undefined for none
 * @throws TrustError for a compromised key, and for a witness with a key of a log or of the service
 */
export function trustOf(
  keys: VerifierKeys,
  policy: LogPolicy | undefined,
  named: readonly VerifierKey[] | undefined,
): VerifierTrust {
  const { issuer, keyLog, closedLogs } = keys;
  const inLines = (policy?.logs ?? []).map(({ key }) => key);
  const counting = inLines.length > 0 ? inLines : named;
  if (policy !== undefined)
    refuseWitnesses(policy, keys.compromisedLogKeys, 'has a key that was reported as compromised');
  const logKeys = counting === undefined ? keys.logKeys : uncompromised(counting, keys);
  const trust = { keys: keys.keys, issuer, logKeys, keyLog, closedLogs };
  if (policy === undefined) return { ...trust, policy: undefined };
  const allLogKeys = [...logKeys, ...keys.logKeys];
  refuseWitnesses(
    policy,
    allLogKeys.map(({ publicKey }) => publicKey),
    'has a key of the log, which could cosign for itself',
  );
  const ofService = keys.keys.map(({ public_key }) => hexToBytes(public_key));
  refuseWitnesses(policy, ofService, 'has a key of the service, which could cosign for itself');
  return { ...trust, policy: { policy, logKeys: allLogKeys } };
}

function uncompromised(named: readonly VerifierKey[], { compromisedLogKeys }: VerifierKeys): LogKey[] {
  const broken = named.find(({ publicKey }) =>
    compromisedLogKeys.some((compromised) => equalBytes(compromised, publicKey)),
  );
  if (broken === undefined) return named.map(logKeyOf);
  throw new TrustError(`for ${broken.name} has been reported as compromised`, null);
}

function refuseWitnesses({ witnesses }: LogPolicy, keys: readonly Uint8Array[], problem: string): void {
  const refused = witnesses.find(({ key }) => keys.some((publicKey) => equalBytes(publicKey, key.publicKey)));
  if (refused !== undefined) throw new TrustError(`the witness ${refused.name} ${problem}`, refused.name);
}
