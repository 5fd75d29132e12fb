import { Failure } from '../../platform/failure.ts';
import { type PolicyFile, readPolicyFile } from '../../platform/tlog/policy-file.ts';
import { equalBytes } from '../../proof/encoding/equal-bytes.ts';
import type { LogKey } from '../../proof/log/log-keys.ts';
import { uncompromised, type VerifierKeys } from './trusted-keys.ts';

/** A policy with the keys of its `log` lines; undefined if it has none. */
export interface TrustedPolicy {
  policy: PolicyFile;
  logKeys: LogKey[] | undefined;
}

/**
 * Reads the policy of --policy. Its `log` lines, if there are any, are the only trusted log keys.
 *
 * @returns logKeys undefined for a policy without `log` lines
 * @throws Failure for an invalid policy, a second source of log keys, a log key that the service has reported as compromised, and a
 * witness with a key of the log: the log could then cosign for itself
 */
export function policyFrom(
  path: string,
  trusted: Pick<VerifierKeys, 'logKeys' | 'compromisedLogKeys'>,
  { logKey }: { logKey?: string[] },
): TrustedPolicy {
  const policy = readPolicyFile(path, '--policy');
  const named = policy.logs.map(({ key }) => key);
  if (named.length > 0 && logKey !== undefined)
    throw new Failure(
      `--log-key and the log lines of ${path} both say which log keys to trust`,
      'omit --log-key, or remove the log lines',
      2,
    );
  const ofLogs = [...named, ...trusted.logKeys].map(({ publicKey }) => publicKey);
  refuseWitnesses(policy, trusted.compromisedLogKeys, 'has a key that was reported as compromised');
  refuseOwnWitnesses(policy, ofLogs);
  return { policy, logKeys: named.length === 0 ? undefined : uncompromised(named, trusted, path) };
}

/** Refuses a witness with one of these public keys of logs. @throws Failure */
export function refuseOwnWitnesses(policy: PolicyFile, ofLogs: readonly Uint8Array[]): void {
  refuseWitnesses(policy, ofLogs, 'has a key of the log, which could cosign for itself');
}

function refuseWitnesses(policy: PolicyFile, keys: readonly Uint8Array[], problem: string): void {
  const own = policy.witnesses.find(({ key }) => keys.some((other) => equalBytes(other, key.publicKey)));
  if (own !== undefined) throw policy.invalid(['witness', own.name], `the witness ${own.name} ${problem}`);
}
