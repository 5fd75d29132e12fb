import { GroupCache } from '../../../platform/store/cache/group-cache.ts';
import type { Transaction } from '../../../platform/store/transaction.ts';
import type { Domain } from '../../../proof/receipt/receipt.ts';
import type { Principals } from '../../operators/auth/authenticate.ts';
import { gateErrors } from './errors.ts';
import { factsOf, type GateContext, weighedRows, weighedStake } from './facts.ts';
import {
  type GateReceipt,
  type GateRows,
  insertAbandoned,
  insertFinalization,
  removeFinalization,
} from './store.ts';
import { type GateReason, gateVerdict } from './verdict.ts';

export type { GateReceipt } from './store.ts';

/** What is weighed, by operator and domain, read once for all receipts of a shared transaction. */
const rowsAtIssue = new GroupCache<GateRows>();

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
  const weighed = () => weighedRows(tx, context, { operatorSeq, domain }, [false, true]);
  const reason =
    operator === null
      ? 'OPERATOR_UNKNOWN'
      : gateVerdict(
          factsOf(
            context.policy,
            operator,
            await weighedStake(tx, context.policy, operatorSeq, domain),
            domain,
            await rowsAtIssue.get(tx, `${operatorSeq} ${domain}`, weighed),
          ),
          context.clock.now(),
          context.policy.rules,
        );
  if (reason === 'OK' || reason === 'ZERO_TENANCY_REJECT') return;
  throw gateErrors.gate_denied({
    message: `The gate denies this operator in ${domain}: ${reason}. ${remedyFor(reason)}`,
    members: { reason },
  });
}

function remedyFor(reason: GateReason): string {
  if (reason === 'SLA_BREACH_THRESHOLD_EXCEEDED')
    return 'See GET /api/v1/operator/status for the end of the denial.';
  return reason === 'ABANDONED_SHARE_EXCEEDED'
    ? 'Finalize the receipts that GET /api/v1/operator/status names, or see there for the end of the denial.'
    : 'Ask the administrator of the service.';
}

/** Counts a receipt that the transaction finalizes. */
export async function countFinalizationIn(
  tx: Transaction,
  receipt: GateReceipt,
  isBreach: boolean,
): Promise<void> {
  await insertFinalization(tx, { ...receipt, breach: isBreach });
  rowsAtIssue.clear();
}

/** Counts a receipt as abandoned that the transaction has revoked while it was pending. */
export async function countAbandonedIn(tx: Transaction, receiptSeq: number): Promise<void> {
  await insertAbandoned(tx, receiptSeq);
  rowsAtIssue.clear();
}

/** Removes a success, which the transaction revokes, from the counts of the gate. */
export async function removeFinalizationFromCountsIn(tx: Transaction, receipt: GateReceipt): Promise<void> {
  await removeFinalization(tx, receipt);
  rowsAtIssue.clear();
}
