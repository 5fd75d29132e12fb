import type { Store } from '../../platform/store/store.ts';
import type { OperatorActor } from '../operators/auth/actor.ts';
import { receiptsErrors } from './errors.ts';
import { requireOwnAgent } from './holder-access.ts';
import { receiptForPrincipal } from './representation.ts';
import { receiptOf } from './store.ts';

/**
 * Returns the operator's receipt, with the salt of a blind one for issuer keys.
 * @throws ApiError receipt_not_found
 */
export async function getReceipt({ store }: { store: Store }, principal: OperatorActor, receiptId: string) {
  const state = await store.read((snapshot) => receiptOf(snapshot, principal.operatorSeq, receiptId));
  if (state === null) throw receiptsErrors.receipt_not_found();
  requireOwnAgent(principal, state.receipt.agentId);
  return receiptForPrincipal(state, principal);
}
