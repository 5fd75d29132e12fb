import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import { isWorkDone } from '../../proof/agent/proof-of-work.ts';
import { agentsErrors } from './errors.ts';
import type { ProvisionRequest } from './schema.ts';
import type { ChallengeRow } from './store.ts';

/**
 * Refuses a request whose `pow_nonce` does not solve its challenge: SHA-256 of both must begin with as many
 * zeros as the challenge demands. A challenge without a difficulty has no solution.
 * @throws ApiError invalid_proof
 */
export function requireWork(
  { powDifficulty }: Pick<ChallengeRow, 'powDifficulty'>,
  {
    challenge_nonce: challengeNonce,
    pow_nonce: powNonce,
  }: Pick<ProvisionRequest, 'challenge_nonce' | 'pow_nonce'>,
): void {
  const difficulty = powDifficulty ?? Number.POSITIVE_INFINITY;
  if (isWorkDone(nativePrimitives, { challengeNonce, powNonce, difficulty })) return;
  throw agentsErrors.invalid_proof({
    message: `sha256(challenge_nonce + ":" + pow_nonce) does not begin with ${difficulty} zeros.`,
  });
}
