import { GroupCache } from '../../../platform/store/cache/group-cache.ts';
import type { Transaction } from '../../../platform/store/transaction.ts';
import type { Domain } from '../../../proof/receipt/receipt.ts';
import type { Principals } from '../../operators/auth/authenticate.ts';
import { gateErrors } from './errors.ts';
import { type GateContext, reasonWith, weighedStake } from './facts.ts';
import { type GateReceipt, insertFinalization, newestFinalizations, removeFinalization } from './store.ts';
import { type Finalization, type GateReason, MAX_WEIGHED } from './verdict.ts';

export type { GateReceipt } from './store.ts';

/** The newest finalizations by operator and domain, read once for all receipts of a shared transaction. */
const newestAtIssue = new GroupCache<readonly Finalization[]>();

/**
 * Refuses to issue while the gate denies. An operator without a finalized receipt in the domain may issue:
 * otherwise it could never get one.
 * @throws ApiError gate_denied
 */
export async function requireGateIn(
  tx: Transaction,
  context: GateContext & { principals: Pick<Principals, 'operatorIn'> },
  operatorSeq: number,
  domain: Domain,
): Promise<void> {
  const operator = await context.principals.operatorIn(tx, operatorSeq);
  const weighed = () => newestFinalizations(tx, { operatorSeq, domain, limit: MAX_WEIGHED }, [false, true]);
  const reason =
    operator === null
      ? 'OPERATOR_UNKNOWN'
      : reasonWith(
          context,
          operator,
          await weighedStake(tx, context.policy, operatorSeq, domain),
          domain,
          await newestAtIssue.get(tx, `${operatorSeq} ${domain}`, weighed),
        );
  if (reason === 'OK' || reason === 'ZERO_TENANCY_REJECT') return;
  throw gateErrors.gate_denied({
    message: `The gate denies this operator in ${domain}: ${reason}. ${remedyFor(reason)}`,
    members: { reason },
  });
}

function remedyFor(reason: GateReason): string {
  return reason === 'SLA_BREACH_THRESHOLD_EXCEEDED'
    ? 'See GET /api/v1/operator/status for the end of the denial.'
    : 'Ask the administrator of the service.';
}

/** Counts a receipt that the transaction finalizes. */
export async function countFinalizationIn(
  tx: Transaction,
  receipt: GateReceipt,
  isBreach: boolean,
): Promise<void> {
  await insertFinalization(tx, { ...receipt, breach: isBreach });
  newestAtIssue.clear();
}

/** Removes a finalized receipt, which the transaction revokes, from the counts of the gate. */
export async function removeFinalizationFromCountsIn(tx: Transaction, receipt: GateReceipt): Promise<void> {
  await removeFinalization(tx, receipt);
  newestAtIssue.clear();
}
