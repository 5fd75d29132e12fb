import { commonErrors } from '../../http/errors.ts';
import type { EscrowState } from '../escrow/state.ts';
import { deliverNamed } from './deliver-named.ts';
import { deliverSigned, type SignedDeliveryContext } from './deliver-signed.ts';
import type { DeliverRequest } from './requests.ts';

/**
 * Delivers a task with what its worker signed, or with evidence of the worker that is anchored. Public: the
 * worker's signature is the authority.
 * @throws ApiError of deliverSigned and deliverNamed; validation_error for a body that is neither
 */
export function deliver(
  trust: SignedDeliveryContext,
  taskId: string,
  { payload, signature, deliverable_digest, evidence_event_hash }: DeliverRequest,
): Promise<EscrowState> {
  const isNamed = deliverable_digest !== undefined && evidence_event_hash !== undefined;
  const isSigned = payload !== undefined && signature !== undefined;
  const isPartly = [payload, signature, deliverable_digest, evidence_event_hash].filter(
    (member) => member !== undefined,
  );
  if (isSigned && isPartly.length === 2) return deliverSigned(trust, taskId, { payload, signature });
  if (isNamed && isPartly.length === 2)
    return deliverNamed(trust, taskId, { deliverable_digest, evidence_event_hash });
  throw commonErrors.validation_error({
    issues: { body: ['must have payload and signature, or deliverable_digest and evidence_event_hash'] },
  });
}
