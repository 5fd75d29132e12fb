import type { Once } from '../../../platform/http/idempotency/once.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Snapshot, Transaction } from '../../../platform/store/transaction.ts';
import { type AgentRow, requireEnrolledAgentIn } from '../../agents/agents.ts';
import { commonErrors } from '../../http/errors.ts';
import type { Principal } from '../../operators/auth/principals.ts';
import { firstOperator, type OperatorRow, operatorById } from '../../operators/status.ts';
import { creditsOf, poolOf } from '../accounts.ts';
import { publicFigures } from '../figures.ts';
import { type LedgerContext, payIn } from '../post.ts';
import type { GrantRequest, MovedResponse } from './schema.ts';
import { requireScope } from './scope.ts';

/** The parts of the service that granting credits uses. */
export type GrantContext = LedgerContext & { store: Store };

/**
 * Grants credits from the pool of the key's operator to any enrolled agent.
 * @returns the balances of the agent
 * @throws ApiError agent_not_enrolled, scope_violation; insufficient_credits of the pool; conflict for a sum
 * beyond 2^53 − 1
 */
export async function grantCredits(
  trust: GrantContext,
  principal: Principal,
  request: GrantRequest,
  once: Once,
): Promise<MovedResponse> {
  return trust.store.write(principal.authority, (tx) =>
    once(tx, async () => {
      const agent = await requireEnrolledAgentIn(tx, request.subject_commitment);
      requireScope(principal, { amount: request.amount, product: null });
      return grantIn(tx, trust, principal, agent, request);
    }),
  );
}

/**
 * Grants credits from an operator's pool, without checking who asks.
 * @throws ApiError insufficient_credits, conflict
 */
async function grantIn(
  tx: Transaction,
  ledger: LedgerContext,
  operator: { operatorSeq: number; operatorId: string },
  agent: AgentRow,
  { amount, memo }: Pick<GrantRequest, 'amount' | 'memo'>,
): Promise<MovedResponse> {
  const kind = 'OPERATOR_GRANT';
  const to = creditsOf(agent);
  const { transactionId } = await payIn(tx, ledger, {
    kind,
    from: poolOf(operator),
    to,
    amount,
    memo: memo ?? null,
  });
  const balances = await publicFigures(tx, agent.agentSeq);
  return { transaction_id: transactionId, kind, amount, balances };
}

/**
 * Grants credits from an operator's pool as the administrator. @param operatorId the first operator for null
 * @throws ApiError not_found for an unknown operator, agent_not_enrolled, insufficient_credits, conflict
 */
export async function grantAsAdministrator(
  trust: GrantContext,
  operatorId: string | null,
  request: GrantRequest,
) {
  return trust.store.writeAsService(async (tx) => {
    const operator = await operatorFor(tx, operatorId);
    const agent = await requireEnrolledAgentIn(tx, request.subject_commitment);
    return grantIn(tx, trust, operator, agent, request);
  });
}

/** @throws ApiError not_found */
async function operatorFor(snapshot: Snapshot, operatorId: string | null): Promise<OperatorRow> {
  const operator =
    operatorId === null ? await firstOperator(snapshot) : await operatorById(snapshot, operatorId);
  if (operator !== undefined) return operator;
  throw commonErrors.not_found({
    message: `There is no operator ${operatorId ?? 'yet'}. See countersign operators list.`,
  });
}
