import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { timestamp } from '../../platform/time/clock.ts';
import { digestReading } from '../../proof/agent/agent-signature.ts';
import { DEFAULT_CONTEXT, subjectCommitment } from '../../proof/agent/commitment.ts';
import { POW_ALGORITHM, provisionDigest } from '../../proof/agent/proof-of-work.ts';
import { hexToBytes } from '../../proof/encoding/hex.ts';
import { commonErrors } from '../http/errors.ts';
import { createKeyIn, newKeyFields } from '../operators/new-api-key.ts';
import { operatorPayer, SignerAuthority } from '../operators/quotas/authorities.ts';
import type { Quotas } from '../operators/quotas/quotas.ts';
import type { Events } from '../webhooks/events.ts';
import { findAgentIn } from './agents.ts';
import {
  type Caller,
  challengeByNonce,
  consumeChallengeIn,
  createChallengeIn,
  requireActive,
} from './challenges.ts';
import { createAgentIn } from './create-agent.ts';
import { agentsErrors } from './errors.ts';
import { createOwnOperatorIn } from './own-operator.ts';
import { type PassportContext, passportIn } from './passport.ts';
import { requireWork } from './proof-of-work.ts';
import { requirePublicKey } from './public-key.ts';
import { refuseRevokedIn } from './revocation.ts';
import type { ProvisionRequest } from './schema.ts';
import type { AgentsPolicy } from './settings.ts';

const LIFETIME_MS = 120_000;

/**
 * Creates a challenge for a self-provisioned agent: a nonce, and the difficulty of the proof of work.
 * @throws ApiError validation_error, rate_limit_exceeded
 */
export async function startProvisioning(
  trust: { store: Store; clock: Clock; url: string | null; quotas: Quotas; policy: AgentsPolicy },
  caller: Caller,
  publicKey: string,
) {
  await requirePublicKey(publicKey);
  const powDifficulty = trust.policy.powDifficulty;
  const { nonce, expiresAt } = await trust.store.write(new SignerAuthority(trust.quotas, null), (tx) =>
    createChallengeIn(tx, trust, caller, LIFETIME_MS, {
      purpose: 'autonomous',
      publicKey,
      subjectCommitment: null,
      context: null,
      name: null,
      sponsorSeq: null,
      keyHash: null,
      powDifficulty,
    }),
  );
  return {
    challenge_nonce: nonce,
    pow_difficulty: powDifficulty,
    pow_algorithm: POW_ALGORITHM,
    expires_at: expiresAt,
  };
}

/**
 * Enrolls an agent that proves work and possession of its key. Creates an operator that sponsors the agent,
 * and a holder key.
 * @throws ApiError validation_error, challenge_not_found, challenge_expired, invalid_proof, conflict for an
 * enrolled agent, forbidden for a revoked one; rate_limit_exceeded, quota_exceeded
 */
export async function provisionAgent(
  trust: PassportContext & { store: Store; clock: Clock; ids: Ids; quotas: Quotas; events: Events },
  request: ProvisionRequest,
  caller: string,
) {
  const { public_key: publicKey, challenge_nonce: challengeNonce, pow_nonce: powNonce, signature } = request;
  const { context = DEFAULT_CONTEXT, display_name: name = null } = request;
  const commitment = subjectCommitment(nativePrimitives, publicKey, context);
  const { store, clock } = trust;
  const challenge = await store.read((snapshot) => challengeByNonce(snapshot, challengeNonce));
  if (challenge?.purpose !== 'autonomous' || challenge.publicKey !== publicKey) {
    throw agentsErrors.challenge_not_found();
  }
  requireActive(challenge, timestamp(clock));
  requireWork(challenge, request);
  const digest = provisionDigest(nativePrimitives, { challengeNonce, powNonce, publicKey });
  if (digestReading(nativePrimitives, hexToBytes(signature), digest, hexToBytes(publicKey)) === null) {
    throw agentsErrors.invalid_proof();
  }
  const authority = new SignerAuthority(trust.quotas, null);
  return store.write(authority, async (tx) => {
    const known = await findAgentIn(tx, commitment);
    await refuseRevokedIn(tx, commitment, known);
    if (known !== null) {
      throw commonErrors.conflict({
        message:
          'The agent is already enrolled. Read its passport with GET /api/v1/passport/agents/{id}/passport.',
      });
    }
    await consumeChallengeIn(tx, trust, challenge);
    const network = await trust.quotas.provisionIn(tx, caller);
    const operator = await createOwnOperatorIn(tx, trust, commitment, name);
    const { operatorSeq, operatorId } = operator;
    await trust.quotas.placeIn(tx, { payer: 'operator', payerSeq: operatorSeq }, network);
    await authority.paidByIn(tx, () => operatorPayer(operator));
    const agent = await createAgentIn(tx, trust, { publicKey, context, name, sponsorSeq: operatorSeq });
    const key = newKeyFields({ name: 'holder key', role: 'holder', subject_commitment: commitment });
    const passport = await passportIn(tx, trust, agent);
    const { api_key } = await createKeyIn(tx, trust, operatorSeq, key);
    return {
      operator_id: operatorId,
      api_key,
      role: 'HOLDER' as const,
      subject_commitment: commitment,
      did: passport.did,
      passport,
    };
  });
}
