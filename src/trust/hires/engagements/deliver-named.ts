import { agentPayer } from '../../agents/payer.ts';
import { type Delivery, deliveryByHashIn } from '../../evidence/deliverable.ts';
import { commonErrors } from '../../http/errors.ts';
import { SignerAuthority } from '../../operators/quotas/authorities.ts';
import { isForOtherTerms, isYounger } from '../escrow/conditions.ts';
import { deliverIn } from '../escrow/deliver.ts';
import type { EscrowState } from '../escrow/state.ts';
import {
  type DeliverableContext,
  deliveredOtherwise,
  requireDeliverableIn,
  requireHeld,
} from './deliverable-task.ts';
import { requireTask } from './find-task.ts';

/**
 * Delivers a task with evidence that its worker anchored since the hire, for example while it was frozen.
 * Anyone may name the evidence: the worker's signature in it is the authority.
 * @throws ApiError not_found; validation_error for a hash that is not evidence of the worker for this task
 * and digest; conflict for a task that other evidence delivered; invalid_state for a task that ended, whose
 * deadline is over, whose worker cannot act or whose hirer was revoked
 */
export async function deliverNamed(
  trust: DeliverableContext,
  taskId: string,
  evidence: NamedEvidence,
): Promise<EscrowState> {
  // Read before the write transaction, since evidence can be large and never changes.
  const { delivered, known } = await trust.store.read(async (snapshot) => {
    const state = await requireTask(snapshot, taskId);
    if (isDelivered(state, evidence)) return { delivered: state, known: null };
    const { workerSeq } = state.escrow;
    return {
      delivered: null,
      known: await deliveryByHashIn(snapshot, workerSeq, evidence.evidence_event_hash),
    };
  });
  if (delivered !== null) return delivered;
  const delivery = requireFits(known, taskId, evidence.deliverable_digest);
  const authority = new SignerAuthority(trust.quotas, null);
  return trust.store.write(authority, async (tx) => {
    const state = await requireTask(tx, taskId);
    if (isDelivered(state, evidence)) return state;
    requireCounts(state, delivery);
    const worker = await requireDeliverableIn(tx, trust, state);
    await authority.paidByIn(tx, () => agentPayer(tx, worker), 'never refused');
    const delivering = { delivery, isNew: false, attestedBy: 'service', arbiterSeq: null } as const;
    await deliverIn(tx, trust, worker, delivering);
    return requireTask(tx, taskId);
  });
}

/** The evidence that a request names. */
export interface NamedEvidence {
  deliverable_digest: string;
  evidence_event_hash: string;
}

/**
 * Returns whether this evidence has delivered a task.
 * @throws ApiError conflict for other evidence, invalid_state for an ended task
 */
function isDelivered({ escrow }: EscrowState, evidence: NamedEvidence): boolean {
  const { deliverableDigest, evidenceEventHash } = escrow;
  if (evidenceEventHash === null) {
    requireHeld(escrow);
    return false;
  }
  if (evidenceEventHash === evidence.evidence_event_hash && deliverableDigest === evidence.deliverable_digest)
    return true;
  throw deliveredOtherwise();
}

/**
 * @throws ApiError validation_error for evidence from before the hire, or for other terms; invalid_state if
 * only the worker itself delivers
 */
function requireCounts(state: EscrowState, delivery: Delivery): void {
  const { escrow } = state;
  if (escrow.delivery === 'worker') {
    throw commonErrors.invalid_state({
      message:
        'Only a delivery that the worker signed for the terms of this task delivers it. Let the worker send one.',
    });
  }
  const problem = !isYounger(delivery, escrow)
    ? 'is evidence from before the hire'
    : isForOtherTerms(delivery, state)
      ? 'is evidence for other terms than those of this hire'
      : null;
  if (problem === null) return;
  throw commonErrors.validation_error({
    issues: { evidence_event_hash: [`${problem}; let the worker sign new evidence`] },
  });
}

/**
 * Returns the evidence if it delivers the task as the request says.
 * @throws ApiError validation_error for any other
 */
function requireFits(delivery: Delivery | null, taskId: string, digest: string): Delivery {
  const hashIssue = issueWith(delivery, taskId);
  const issues: Record<string, string[]> = {};
  if (hashIssue !== null) issues.evidence_event_hash = [hashIssue];
  else if (delivery?.digest !== digest)
    issues.deliverable_digest = ['is not the digest that the evidence names'];
  if (delivery === null || Object.keys(issues).length > 0) throw commonErrors.validation_error({ issues });
  return delivery;
}

function issueWith(delivery: Delivery | null, taskId: string): string | null {
  if (delivery === null)
    return 'is not the event_commitment_hash of anchored task_deliverable evidence of the worker; anchor it first';
  if (delivery.taskId !== taskId) return 'is evidence of the worker for another task';
  return delivery.outcome === 'success' ? null : 'is evidence that the task failed; anchor a success';
}
