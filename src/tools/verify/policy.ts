import { Failure } from '../../platform/failure.ts';
import { readPolicyFile } from '../../platform/tlog/policy-file.ts';
import { equalBytes } from '../../proof/encoding/equal-bytes.ts';
import type { LogKey } from '../../proof/log/log-keys.ts';
import type { LogPolicy } from '../../proof/log/log-policy.ts';
import { uncompromised, type VerifierKeys } from './trusted-keys.ts';

/**
 * Reads the policy of --policy. Its `log` lines, if there are any, are the only trusted log keys.
 *
 * @returns logKeys undefined for a policy without `log` lines
 * @throws Failure for an invalid policy, a second source of log keys, a log key that the service has reported as compromised, and a
 * witness with a key of the log: the log could then cosign for itself
 */
export function policyFrom(
  path: string,
  trusted: VerifierKeys,
  { logKey }: { logKey?: string[] },
): { policy: LogPolicy; logKeys: LogKey[] | undefined } {
  const policy = readPolicyFile(path, '--policy');
  const named = policy.logs.map(({ key }) => key);
  if (named.length > 0 && logKey !== undefined)
    throw new Failure(
      `--log-key and the log lines of ${path} both say which log keys to trust`,
      'omit --log-key, or remove the log lines',
      2,
    );
  const ofLogs = [...named, ...trusted.logKeys].map(({ publicKey }) => publicKey);
  const own = policy.witnesses.find(({ key }) =>
    [...ofLogs, ...trusted.compromisedLogKeys].some((other) => equalBytes(other, key.publicKey)),
  );
  if (own !== undefined)
    throw policy.invalid(
      ['witness', own.name],
      `the witness ${own.name} has a key of the log, which could cosign for itself`,
    );
  return { policy, logKeys: named.length === 0 ? undefined : uncompromised(named, trusted, path) };
}
