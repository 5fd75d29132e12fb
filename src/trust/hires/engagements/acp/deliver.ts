import type { Store } from '../../../../platform/store/store.ts';
import type { Clock } from '../../../../platform/time/clock.ts';
import type { ClockWatch } from '../../../../platform/time/clock-watch.ts';
import { findAgentIn } from '../../../agents/agents.ts';
import { agentPayer } from '../../../agents/payer.ts';
import { type Delivery, deliveryByHashIn } from '../../../evidence/deliverable.ts';
import { commonErrors } from '../../../http/errors.ts';
import type { Principals } from '../../../operators/auth/authenticate.ts';
import { SignerAuthority } from '../../../operators/quotas/authorities.ts';
import type { Quotas } from '../../../operators/quotas/quotas.ts';
import { canDeliverIn, isLate } from '../../escrow/conditions.ts';
import { deliverIn } from '../../escrow/deliver.ts';
import type { EscrowPolicy } from '../../escrow/settings.ts';
import type { ChangeContext, EscrowState } from '../../escrow/state.ts';
import { requireTask } from './find-task.ts';
import { publicTask, STATUSES } from './task-view.ts';

/** The parts of the service that delivering uses. */
type DeliverContext = ChangeContext & {
  store: Store;
  clock: Clock;
  clockWatch: ClockWatch;
  policy: EscrowPolicy;
  principals: Principals;
  quotas: Quotas;
};

/**
 * Delivers a task with evidence that its worker anchored before, for example before the task was created.
 * Anyone may name the evidence: the worker's signature in it is the authority.
 * @throws ApiError not_found; validation_error for a hash that is not evidence of the worker for this task
 * and digest; conflict for a task that other evidence delivered; invalid_state for a task that ended, whose
 * deadline is over, whose worker cannot act or whose hirer was revoked
 */
export async function deliverTask(trust: DeliverContext, taskId: string, evidence: NamedEvidence) {
  // Read before the write transaction, since evidence can be large and never changes.
  const known = await trust.store.read(async (snapshot) => {
    const state = await requireTask(snapshot, taskId);
    if (isDelivered(state, evidence)) return publicTask(state);
    return deliveryByHashIn(snapshot, state.escrow.workerSeq, evidence.evidence_event_hash);
  });
  if (known !== null && 'task_id' in known) return known;
  const delivery = requireFits(known, taskId, evidence.deliverable_digest);
  const authority = new SignerAuthority(trust.quotas, null);
  return trust.store.write(authority, async (tx) => {
    const state = await requireTask(tx, taskId);
    if (isDelivered(state, evidence)) return publicTask(state);
    if (isLate(trust, state)) {
      throw commonErrors.invalid_state({
        message:
          'The deadline of this task is over, so it cannot be delivered. Its credits return to the hirer.',
      });
    }
    const worker = await findAgentIn(tx, state.worker);
    if (worker === null || !(await canDeliverIn(tx, trust, state))) {
      throw commonErrors.invalid_state({
        message:
          'The worker is frozen or its sponsor suspended, or a party was revoked, so the task cannot be delivered.',
      });
    }
    await authority.paidByIn(tx, () => agentPayer(tx, worker), 'never refused');
    await deliverIn(tx, trust, worker, delivery, false);
    return publicTask(await requireTask(tx, taskId));
  });
}

/** The evidence that a request names. */
interface NamedEvidence {
  deliverable_digest: string;
  evidence_event_hash: string;
}

/**
 * Returns whether this evidence has delivered a task.
 * @throws ApiError conflict for other evidence, invalid_state for an ended task
 */
function isDelivered({ escrow }: EscrowState, evidence: NamedEvidence): boolean {
  const { deliverableDigest, evidenceEventHash, status } = escrow;
  if (evidenceEventHash === null) {
    if (status === 'HELD') return false;
    throw commonErrors.invalid_state({
      message: `The task is ${STATUSES[status]}, so it cannot be delivered. Its credits were returned to the hirer.`,
    });
  }
  if (evidenceEventHash === evidence.evidence_event_hash && deliverableDigest === evidence.deliverable_digest)
    return true;
  throw commonErrors.conflict({
    message: 'Other evidence has delivered this task. Read the task for its deliverable_digest.',
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
