import { Failure } from '../../../platform/failure.ts';
import { type PolicyFile, readPolicyFile } from '../../../platform/tlog/policy-file.ts';
import { logVerifierKeys } from '../../../platform/tlog/verifier-keys.ts';
import {
  NO_KEYS,
  TrustError,
  trustOf,
  type VerifierKeys,
  type VerifierTrust,
} from '../../../proof/verifier/trust.ts';
import type { TrustSources } from '../options/combinations.ts';
import { keysFrom } from './keys.ts';

/** Reads the trusted keys and the policy. Without --keys, no keys are trusted. @throws Failure */
export async function readTrust(sources: TrustSources): Promise<VerifierTrust> {
  const keys = sources.keys === undefined ? NO_KEYS : await keysFrom(sources.keys, sources);
  return trustIn(keys, sources);
}

/**
 * Reads the policy and the log keys that the command line names.
 *
 * @throws Failure for an invalid policy, a second source of log keys, a compromised key, and a witness with a
 * key of the log
 */
export async function trustIn(
  keys: VerifierKeys,
  { policy: path, logKey }: Pick<TrustSources, 'policy' | 'logKey'>,
): Promise<VerifierTrust> {
  const policy = path === undefined ? undefined : readPolicyFile(path, '--policy');
  const hasLines = policy !== undefined && policy.logs.length > 0;
  if (hasLines && logKey !== undefined)
    throw new Failure(
      `--log-key and the log lines of ${path} both say which log keys to trust`,
      'omit --log-key, or remove the log lines',
      2,
    );
  const named = logKey === undefined ? undefined : await logVerifierKeys(logKey, { log: '<name>' });
  try {
    return trustOf(keys, policy, named);
  } catch (error) {
    throw error instanceof TrustError ? refusal(error, policy, hasLines ? path : '--log-key') : error;
  }
}

function refusal(
  { message, witness }: TrustError,
  policy: PolicyFile | undefined,
  source: string | undefined,
): Failure {
  if (policy !== undefined && witness !== null) return policy.invalid(['witness', witness], message);
  return new Failure(`the key of ${source} ${message}`, 'pass the key that replaced it');
}
