import { logVerifierKeys } from '../../platform/tlog/verifier-keys.ts';
import type { LogKey } from '../../proof/log/log-keys.ts';
import { uncompromised, type VerifierKeys } from './trusted-keys.ts';

/**
 * Returns the keys that may sign logs: those of the policy's `log` lines, else of --log-key, else of --keys.
 * @throws Failure for a key that the service has reported as compromised
 */
export async function trustedLogKeys(
  ofPolicy: readonly LogKey[] | undefined,
  trusted: VerifierKeys,
  { logKey }: { logKey?: string[] },
): Promise<readonly LogKey[]> {
  if (ofPolicy !== undefined) return ofPolicy;
  if (logKey === undefined) return trusted.logKeys;
  return uncompromised(await logVerifierKeys(logKey), trusted, '--log-key');
}
