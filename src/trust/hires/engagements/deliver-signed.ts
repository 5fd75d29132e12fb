import { payloadIssues } from '../../../platform/evidence-payload.ts';
import type { Transaction } from '../../../platform/store/transaction.ts';
import type { JsonObject } from '../../../proof/encoding/json.ts';
import { type AgentRow, findAgentIn } from '../../agents/agents.ts';
import { agentsErrors } from '../../agents/errors.ts';
import { agentPayer } from '../../agents/payer.ts';
import { type AnchorContext, anchorIn, type VerifiedEvidence, verifySigned } from '../../evidence/anchor.ts';
import { type Deliverable, deliverableHashIn, deliveryOf } from '../../evidence/deliverable.ts';
import { commonErrors } from '../../http/errors.ts';
import { SignerAuthority } from '../../operators/quotas/authorities.ts';
import { requireArbiterIn } from '../escrow/arbiter.ts';
import { isYounger } from '../escrow/conditions.ts';
import { deliverIn } from '../escrow/deliver.ts';
import type { EscrowState } from '../escrow/state.ts';
import { termsDigestOf } from '../escrow/terms.ts';
import {
  type DeliverableContext,
  deliveredOtherwise,
  requireDeliverableIn,
  requireHeld,
} from './deliverable-task.ts';
import { requireTask } from './find-task.ts';

/** The parts of the service that delivering what a worker signed uses. */
export type SignedDeliveryContext = DeliverableContext & AnchorContext;

/** What the worker signed: the payload of `task_deliverable` evidence with `terms_digest`. */
export interface SignedDelivery {
  payload: JsonObject;
  signature: string;
}

/**
 * Anchors what the worker of a task signed as its evidence, and delivers the task with it, in one
 * transaction. The signature is the authority, and the worker's payer pays. The same delivery again writes
 * nothing.
 * @throws ApiError not_found; validation_error for a payload that is no success for this task and its terms,
 * or that names an arbiter that cannot be one; invalid_proof for the signature of anyone else; conflict for a
 * task that other evidence delivered; invalid_state for a task that ended, whose deadline is over, whose
 * worker cannot act or whose hirer was revoked; clock_wrong; rate_limit_exceeded; quota_exceeded
 */
export async function deliverSigned(
  trust: SignedDeliveryContext,
  taskId: string,
  { payload, signature }: SignedDelivery,
): Promise<EscrowState> {
  const issues = payloadIssues('task_deliverable', payload);
  if (issues !== null) throw commonErrors.validation_error({ issues });
  const publicKey = await trust.store.read(async (snapshot) => {
    const { worker } = await requireTask(snapshot, taskId);
    const agent = await findAgentIn(snapshot, worker);
    if (agent === null) throw new Error(`the worker of ${taskId} is gone`);
    return agent.publicKey;
  });
  // Outside the transaction, so that other requests can write meanwhile.
  const signed = { source_type: 'task_deliverable', payload, signature } as const;
  const verified = await verifySigned(signed, publicKey, null);
  // The other readings are for clients of an older specification, which has no terms_digest.
  if (verified.reading !== 'digest') throw agentsErrors.invalid_proof();
  const authority = new SignerAuthority(trust.quotas, null);
  return trust.store.write(authority, async (tx) => {
    const state = await requireTask(tx, taskId);
    const deliverable = requireTerms(state, verified);
    if (await isDeliveredIn(tx, state, verified)) return state;
    const worker = await requireDeliverableIn(tx, trust, state);
    const arbiterSeq = await requireArbiterIn(tx, trust, state, deliverable.arbiter);
    const pay = (agent: AgentRow) => authority.paidByIn(tx, () => agentPayer(tx, agent));
    const { item, duplicate } = await anchorIn(tx, trust, worker, verified, pay);
    const delivery = deliveryOf(deliverable, item);
    if (!isYounger(delivery, state.escrow)) throw tooOld();
    await deliverIn(tx, trust, worker, { delivery, isNew: !duplicate, attestedBy: 'worker', arbiterSeq });
    return requireTask(tx, taskId);
  });
}

/**
 * Returns what the worker signed about a task.
 * @throws ApiError validation_error for another task, other terms or a failure
 */
function requireTerms(state: EscrowState, { deliverable, outcome }: VerifiedEvidence): Deliverable {
  if (deliverable === null) throw new Error('a payload that fits its type has no deliverable');
  const { taskId, termsDigest } = deliverable;
  const issues: Record<string, string[]> = {};
  if (taskId !== state.escrow.taskId) issues['payload.task_id'] = ['must be the task of the path'];
  if (termsDigest === null) issues['payload.terms_digest'] = ['is required'];
  else if (termsDigest !== termsDigestOf(state))
    issues['payload.terms_digest'] = ['is not the terms_digest of this task; read the task for it'];
  if (outcome !== 'success') issues['payload.outcome'] = ['must be success: a failure delivers nothing'];
  if (Object.keys(issues).length > 0) throw commonErrors.validation_error({ issues });
  return deliverable;
}

/**
 * Returns whether this delivery has delivered a task.
 * @throws ApiError conflict for another delivery, invalid_state for an ended task
 */
async function isDeliveredIn(
  tx: Transaction,
  { escrow }: EscrowState,
  { payloadDigest }: VerifiedEvidence,
): Promise<boolean> {
  const { workerSeq, evidenceEventHash } = escrow;
  if (evidenceEventHash === null) {
    requireHeld(escrow);
    return false;
  }
  if ((await deliverableHashIn(tx, workerSeq, payloadDigest)) === evidenceEventHash) return true;
  throw deliveredOtherwise();
}

function tooOld() {
  return commonErrors.validation_error({
    issues: { payload: ['was anchored before the hire; sign a new payload, for example with another note'] },
  });
}
