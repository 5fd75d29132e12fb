import { Failure } from '../../../platform/failure.ts';
import { type PolicyFile, readPolicyFile } from '../../../platform/tlog/policy-file.ts';
import { logVerifierKeys } from '../../../platform/tlog/verifier-keys.ts';
import { equalBytes } from '../../../proof/encoding/equal-bytes.ts';
import { hexToBytes } from '../../../proof/encoding/hex.ts';
import type { LogKey } from '../../../proof/log/log-keys.ts';
import type { Trust } from '../../../proof/verifier/values/context.ts';
import type { TrustSources } from '../options/combinations.ts';
import { keysFrom, uncompromised, type VerifierKeys } from './keys.ts';

const NO_KEYS: VerifierKeys = { keys: [], logKeys: [], compromisedLogKeys: [], keyLog: null, closedLogs: [] };

/** What the verifier trusts, and the closed logs that its list of keys names. */
export type ReadTrust = Trust & Pick<VerifierKeys, 'closedLogs'>;

/** Reads the trusted keys and the policy. Without --keys, no keys are trusted. @throws Failure */
export async function readTrust(sources: TrustSources): Promise<ReadTrust> {
  const keys = sources.keys === undefined ? NO_KEYS : await keysFrom(sources.keys, sources);
  return trustIn(keys, sources);
}

/**
 * Reads the policy and the log keys that the command line names.
 *
 * The keys of the policy's `log` lines may sign logs, else those of --log-key, else those of the key list.
 * @throws Failure for an invalid policy, a second source of log keys, a compromised key, and a witness with a
 * key of the log
 */
export async function trustIn(
  keys: VerifierKeys,
  { policy: path, logKey }: Pick<TrustSources, 'policy' | 'logKey'>,
): Promise<ReadTrust> {
  const { issuer, keyLog, closedLogs } = keys;
  if (path === undefined) {
    const logKeys = await namedLogKeys(keys, logKey);
    return { keys: keys.keys, issuer, logKeys, policy: undefined, keyLog, closedLogs };
  }
  const policy = readPolicyFile(path, '--policy');
  const keysInLines = policy.logs.map(({ key }) => key);
  if (keysInLines.length > 0 && logKey !== undefined)
    throw new Failure(
      `--log-key and the log lines of ${path} both say which log keys to trust`,
      'omit --log-key, or remove the log lines',
      2,
    );
  refuseWitnesses(policy, keys.compromisedLogKeys, 'has a key that was reported as compromised');
  const logKeys =
    keysInLines.length > 0 ? uncompromised(keysInLines, keys, path) : await namedLogKeys(keys, logKey);
  const allLogKeys = [...logKeys, ...keys.logKeys];
  refuseWitnesses(
    policy,
    allLogKeys.map(({ publicKey }) => publicKey),
    'has a key of the log, which could cosign for itself',
  );
  const ofService = keys.keys.map(({ public_key }) => hexToBytes(public_key));
  refuseWitnesses(policy, ofService, 'has a key of the service, which could cosign for itself');
  return { keys: keys.keys, issuer, logKeys, policy: { policy, logKeys: allLogKeys }, keyLog, closedLogs };
}

/** Returns the keys of --log-key; those of the list of keys without it. */
async function namedLogKeys(
  keys: VerifierKeys,
  logKey: readonly string[] | undefined,
): Promise<readonly LogKey[]> {
  if (logKey === undefined) return keys.logKeys;
  return uncompromised(await logVerifierKeys(logKey, { log: '<name>' }), keys, '--log-key');
}

function refuseWitnesses(policy: PolicyFile, keys: readonly Uint8Array[], problem: string): void {
  const refused = policy.witnesses.find(({ key }) =>
    keys.some((publicKey) => equalBytes(publicKey, key.publicKey)),
  );
  if (refused !== undefined)
    throw policy.invalid(['witness', refused.name], `the witness ${refused.name} ${problem}`);
}
