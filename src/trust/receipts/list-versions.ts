import type { Store } from '../../platform/store/store.ts';
import type { OperatorActor } from '../operators/auth/actor.ts';
import { receiptsErrors } from './errors.ts';
import { requireOwnAgent } from './holder-access.ts';
import { receiptForPrincipal } from './representation.ts';
import { versionsOf } from './store.ts';

/**
 * Returns every signed version of the operator's receipt, newest first: at most three, for issue,
 * finalization and revocation.
 * @throws ApiError receipt_not_found; forbidden for a holder key and another agent's receipt
 */
export async function listVersions({ store }: { store: Store }, principal: OperatorActor, receiptId: string) {
  const { operatorSeq } = principal;
  const versions = await store.read((snapshot) => versionsOf(snapshot, operatorSeq, receiptId));
  const [newest] = versions;
  if (newest === undefined) throw receiptsErrors.receipt_not_found();
  requireOwnAgent(principal, newest.receipt.agentId);
  return {
    versions: versions.map((state) => ({
      version: state.current.version,
      signed_at: state.current.signedAt,
      revocation_reason: state.current.revocationReason,
      receipt: receiptForPrincipal(state, principal),
    })),
  };
}
