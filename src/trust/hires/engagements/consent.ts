import type { Store } from '../../../platform/store/store.ts';
import type { Transaction } from '../../../platform/store/transaction.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { type AgentRow, findAgentIn } from '../../agents/agents.ts';
import { agentsErrors } from '../../agents/errors.ts';
import { agentPayer } from '../../agents/payer.ts';
import { commonErrors } from '../../http/errors.ts';
import type { Principals } from '../../operators/auth/authenticate.ts';
import { SignerAuthority } from '../../operators/quotas/authorities.ts';
import type { Quotas } from '../../operators/quotas/quotas.ts';
import { dependenceIn } from '../escrow/arbiter.ts';
import { type Consent, isConsentBy, storeConsentIn } from '../escrow/consent.ts';
import { publicView } from '../escrow/representation.ts';
import { DELIVERED_STATUSES, type EscrowState } from '../escrow/state.ts';
import { termsDigestOf } from '../escrow/terms.ts';
import { requireTask } from './find-task.ts';

/** The parts of the service that a consent uses. */
export type ConsentContext = { store: Store; clock: Clock; principals: Principals; quotas: Quotas };

/**
 * Stores that the arbiter, whom the worker named in its delivery, consents to decide about an engagement. Its
 * signature is the authority, and its payer pays. The same consent again writes nothing.
 * @throws ApiError not_found; validation_error for another task or other terms; invalid_proof; conflict if
 * the delivery names no arbiter; forbidden if the arbiter cannot decide or the hirer refused it;
 * invalid_state for an engagement that ended
 */
export async function consent(
  trust: ConsentContext,
  taskId: string,
  { payload, signature }: { payload: Consent; signature: string },
) {
  const arbiter = await trust.store.read(async (snapshot) => {
    const { arbiter } = await requireTask(snapshot, taskId);
    return arbiter === null ? null : findAgentIn(snapshot, arbiter);
  });
  if (arbiter === null) {
    throw commonErrors.conflict({
      message: 'The engagement has no arbiter: the worker names one in the delivery that it signs.',
    });
  }
  if (!isConsentBy(arbiter.publicKey, payload, signature)) throw agentsErrors.invalid_proof();
  const authority = new SignerAuthority(trust.quotas, null);
  return trust.store.write(authority, async (tx) => {
    const state = await requireTask(tx, taskId);
    requireTerms(state, payload);
    if (state.consentedAt !== null) return { engagement: publicView(state) };
    const { status } = state.escrow;
    if (!DELIVERED_STATUSES.some((one) => one === status)) throw ended(status);
    if (state.isArbiterRefused) throw refused();
    await requireIndependent(tx, trust, state, arbiter);
    await authority.paidByIn(tx, () => agentPayer(tx, arbiter));
    await storeConsentIn(tx, trust, state, signature);
    return { engagement: publicView(await requireTask(tx, taskId)) };
  });
}

/** @throws ApiError validation_error */
function requireTerms(state: EscrowState, { task_id: taskId, terms_digest: termsDigest }: Consent): void {
  const issues: Record<string, string[]> = {};
  if (taskId !== state.escrow.taskId) issues['payload.task_id'] = ['must be the task of the path'];
  if (termsDigest !== termsDigestOf(state))
    issues['payload.terms_digest'] = ['is not the terms_digest of this task; read the task for it'];
  if (Object.keys(issues).length > 0) throw commonErrors.validation_error({ issues });
}

const ended = (status: string) =>
  commonErrors.invalid_state({
    message: `The engagement is ${status}, so no dispute about it can be decided.`,
  });

const refused = () =>
  commonErrors.forbidden({
    message: 'The hirer refused the arbiter in its dispute, so an administrator decides.',
  });

/** @throws ApiError forbidden */
async function requireIndependent(
  tx: Transaction,
  trust: ConsentContext,
  state: EscrowState,
  { subjectCommitment }: AgentRow,
): Promise<void> {
  const arbiter = await findAgentIn(tx, subjectCommitment);
  const problem = arbiter === null ? 'is gone' : await dependenceIn(tx, trust, state, arbiter);
  if (problem === null) return;
  throw commonErrors.forbidden({
    message: `The arbiter ${problem}, so it cannot decide about this engagement.`,
  });
}
