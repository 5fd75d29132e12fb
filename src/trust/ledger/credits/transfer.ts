import type { Once } from '../../../platform/http/idempotency/once.ts';
import type { Transaction } from '../../../platform/store/transaction.ts';
import type { AgentRow } from '../../agents/agents.ts';
import { commonErrors } from '../../http/errors.ts';
import type { Actor } from '../../operators/auth/actor.ts';
import { creditsOf, UNCLAIMED } from '../accounts.ts';
import { publicFigures } from '../balances.ts';
import { type LedgerContext, payIn } from '../post.ts';
import { type AgentCaller, authorizeDebitIn, type DebitContext } from './authorization.ts';
import type { GrantContext } from './grant.ts';
import { type MovedResponse, TRANSFER_KINDS, type TransferRequest } from './schema.ts';
import { debitScopeIn } from './scope.ts';

/** The parts of the service that a transfer uses. */
export type TransferContext = GrantContext & DebitContext;

/**
 * Transfers credits from one agent to another, or from `unclaimed` by an admin key, of the classes that a
 * debit takes; they keep their class.
 * @returns the balances of the payer; for a transfer from `unclaimed`, those of the agent that is paid
 * @throws ApiError validation_error for a transfer to itself, and for the kind of a transfer from
 * `unclaimed`; as authorizeDebitIn for the payer; agent_not_enrolled for either agent; insufficient_credits;
 * conflict for a sum beyond 2^53 − 1
 */
export async function transferCredits(
  trust: TransferContext,
  caller: AgentCaller,
  request: TransferRequest,
  once: Once,
): Promise<MovedResponse> {
  return trust.store.write(caller.authority, (tx) =>
    once(tx, async () => {
      requireTwoAgents(request);
      const { from_commitment, amount } = request;
      if (from_commitment === UNCLAIMED.name) {
        await debitScopeIn(tx, trust, requireAdministrator(caller), { amount, product: null });
        return claimIn(tx, trust, await trust.agentCache.enrolledIn(tx, request.to_commitment), request);
      }
      const payer = await authorizeDebitIn(tx, trust, caller, from_commitment, amount);
      const payee = await trust.agentCache.enrolledIn(tx, request.to_commitment);
      return transferIn(tx, trust, { payer, payee }, request);
    }),
  );
}

/** Transfers credits without checking the caller. @throws ApiError insufficient_credits, conflict */
async function transferIn(
  tx: Transaction,
  ledger: LedgerContext,
  { payer, payee }: { payer: AgentRow; payee: AgentRow },
  { amount, kind = TRANSFER_KINDS[0], memo }: Pick<TransferRequest, 'amount' | 'kind' | 'memo'>,
): Promise<MovedResponse> {
  const payment = { kind, from: creditsOf(payer), to: creditsOf(payee), amount, memo: memo ?? null };
  const { transactionId } = await payIn(tx, ledger, payment);
  const balances = await publicFigures(tx, payer.agentSeq);
  return { transaction_id: transactionId, kind, amount, balances };
}

/**
 * Transfers credits from `unclaimed` without checking the caller.
 * @throws ApiError validation_error for a kind; insufficient_credits, conflict
 */
async function claimIn(
  tx: Transaction,
  ledger: LedgerContext,
  payee: AgentRow,
  { amount, kind: requested, memo }: Pick<TransferRequest, 'amount' | 'kind' | 'memo'>,
): Promise<MovedResponse> {
  if (requested !== undefined) {
    throw commonErrors.validation_error({
      issues: { kind: [`must be absent for a transfer from ${UNCLAIMED.name}`] },
    });
  }
  const kind = 'ADJUSTMENT';
  const payment = { kind, from: UNCLAIMED, to: creditsOf(payee), amount, memo: memo ?? null } as const;
  const { transactionId } = await payIn(tx, ledger, payment);
  return { transaction_id: transactionId, kind, amount, balances: await publicFigures(tx, payee.agentSeq) };
}

/**
 * Returns the administrator who sent a request.
 * @throws ApiError forbidden for any other, and for a request that an agent signed
 */
function requireAdministrator({ principal, auth }: AgentCaller): Actor {
  if (principal?.admin === true && auth === undefined) return principal;
  throw commonErrors.forbidden({
    message: `Only an admin key can transfer credits from ${UNCLAIMED.name}, and no agent_auth. Ask the administrator of the service.`,
  });
}

/** @throws ApiError validation_error for a transfer from an agent to itself */
function requireTwoAgents({
  from_commitment,
  to_commitment,
}: Pick<TransferRequest, 'from_commitment' | 'to_commitment'>): void {
  if (from_commitment === to_commitment)
    throw commonErrors.validation_error({
      issues: { to_commitment: ['must be another agent than from_commitment'] },
    });
}
