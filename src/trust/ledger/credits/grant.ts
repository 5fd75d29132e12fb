import type { Once } from '../../../platform/http/idempotency/once.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Transaction } from '../../../platform/store/transaction.ts';
import { type AgentRow, requireEnrolledAgentIn } from '../../agents/agents.ts';
import { type Actor, requireOperator } from '../../operators/auth/actor.ts';
import { creditsOf, poolOf } from '../accounts.ts';
import { publicFigures } from '../balances.ts';
import { type LedgerContext, payIn } from '../post.ts';
import type { GrantRequest, MovedResponse } from './schema.ts';
import { debitScopeIn } from './scope.ts';

/** The parts of the service that granting credits uses. */
export type GrantContext = LedgerContext & { store: Store };

/**
 * Grants credits from the pool of the caller's operator to any enrolled agent.
 * @returns the balances of the agent
 * @throws ApiError agent_not_enrolled, scope_violation, insufficient_credits; conflict beyond 2^53 − 1
 */
export async function grantCredits(
  trust: GrantContext,
  actor: Actor,
  request: GrantRequest,
  once: Once,
): Promise<MovedResponse> {
  const operator = requireOperator(actor);
  return trust.store.write(actor.authority, (tx) =>
    once(tx, async () => {
      const agent = await requireEnrolledAgentIn(tx, request.subject_commitment);
      await debitScopeIn(tx, trust, actor, { amount: request.amount, product: null });
      return grantIn(tx, trust, operator, agent, request);
    }),
  );
}

/**
 * Grants credits from an operator's pool, without checking the caller.
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
