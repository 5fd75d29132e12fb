import { sha256Hex } from '../../platform/crypto/crypto.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import { type Clock, timestamp } from '../../platform/time/clock.ts';
import { commonErrors } from '../http/errors.ts';
import { requireOpen } from './account-state.ts';
import { type KeyView, keyView } from './api-key-view.ts';
import { sponsorOf } from './related-store.ts';
import type { NewApiKey } from './schema.ts';
import { type ApiKeyRow, insertKey, operatorBySeq } from './store.ts';

/** The columns of a new key, with defaults applied. */
export type NewKeyFields = Pick<ApiKeyRow, 'role' | 'admin' | 'name' | 'subjectCommitment' | 'scope'>;

/**
 * Creates a key.
 * @returns the public view and the key in full, which is not stored
 * @throws ApiError forbidden for a holder key of an agent that the operator does not sponsor;
 * agent_not_enrolled for a holder key of a revoked agent; conflict for a closed operator
 */
export async function createKeyIn(
  tx: Transaction,
  { clock, ids }: { clock: Clock; ids: Ids },
  operatorSeq: number,
  request: NewKeyFields,
): Promise<KeyView & { api_key: string }> {
  const operator = await operatorBySeq(tx, operatorSeq);
  if (operator !== null) requireOpen(operator);
  await requireSponsorIn(tx, operatorSeq, request);
  const apiKey = ids.newSecret('pp_');
  const row = { ...request, keyHash: sha256Hex(apiKey), operatorSeq, createdAt: timestamp(clock) };
  await insertKey(tx, row);
  return { ...keyView({ ...row, lastUsedAt: null }), api_key: apiKey };
}

/**
 * Applies the defaults of a new key.
 * @throws ApiError validation_error when role, agent and admin flag contradict each other
 */
export function newKeyFields(request: NewApiKey): NewKeyFields {
  const { name = null, role = 'issuer', subject_commitment = null, scope = null, admin = false } = request;
  const issues: Record<string, string[]> = {};
  if (role === 'holder' && subject_commitment === null) {
    issues.subject_commitment = ['is required for a holder key: the agent that it acts for'];
  }
  if (role === 'issuer' && subject_commitment !== null)
    issues.subject_commitment = ['is only allowed for holder keys'];
  if (role === 'holder' && admin) issues.admin = ['is only allowed for issuer keys'];
  if (Object.keys(issues).length > 0) throw commonErrors.validation_error({ issues });
  return { name, role, subjectCommitment: subject_commitment, scope, admin };
}

/**
 * Checks that the operator may create a holder key for an agent. An agent that has not enrolled is allowed:
 * the key acts for it only if the operator becomes its sponsor.
 */
async function requireSponsorIn(
  tx: Transaction,
  operatorSeq: number,
  { subjectCommitment }: NewKeyFields,
): Promise<void> {
  const agent = subjectCommitment === null ? null : await sponsorOf(tx, subjectCommitment);
  if (agent?.state === 'REVOKED') {
    throw commonErrors.agent_not_enrolled({
      message: 'The agent was revoked, so it gets no new keys. Name another agent.',
    });
  }
  if (agent === null || agent.sponsorSeq === operatorSeq) return;
  throw commonErrors.forbidden({
    message: "Only the agent's sponsor can create holder keys for it. Use a key of the sponsor.",
  });
}
