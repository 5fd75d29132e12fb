import { logVerifierKeys } from '../../platform/tlog/verifier-keys.ts';
import type { LogKey } from '../../proof/log/log-keys.ts';
import { refuseOwnWitnesses, type TrustedPolicy } from './policy.ts';
import { uncompromised, type VerifierKeys } from './trusted-keys.ts';

/**
 * Returns the keys that may sign logs: those of the policy's `log` lines, else of --log-key, else of --keys.
 * @throws Failure for a key that the service has reported as compromised, and for a witness of the policy with one of these keys
 */
export async function trustedLogKeys(
  policy: TrustedPolicy | undefined,
  trusted: VerifierKeys,
  { logKey }: { logKey?: string[] },
): Promise<readonly LogKey[]> {
  if (policy?.logKeys !== undefined) return policy.logKeys;
  if (logKey === undefined) return trusted.logKeys;
  const keys = uncompromised(await logVerifierKeys(logKey), trusted, '--log-key');
  if (policy !== undefined)
    refuseOwnWitnesses(
      policy.policy,
      keys.map(({ publicKey }) => publicKey),
    );
  return keys;
}
