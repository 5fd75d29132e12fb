import type { Transaction } from '../../../platform/store/transaction.ts';
import type { JsonObject } from '../../../proof/encoding/json.ts';
import { type AuthorizationContext, type RequestLine, verifyAgentAuthIn } from '../../agents/agent-auth.ts';
import type { AgentCache } from '../../agents/agent-cache.ts';
import { type AgentRow, actsForAgent, isActiveAgent } from '../../agents/agents.ts';
import { agentPayer } from '../../agents/payer.ts';
import type { AgentAuth } from '../../agents/schema.ts';
import { commonErrors } from '../../http/errors.ts';
import type { Actor } from '../../operators/auth/actor.ts';
import type { Principals } from '../../operators/auth/authenticate.ts';
import { unauthorized } from '../../operators/auth/authenticate.ts';
import { SignerAuthority } from '../../operators/quotas/authorities.ts';
import type { QuotaEnforcement, Quotas } from '../../operators/quotas/quotas.ts';
import { debitScopeIn } from './scope.ts';

/** The parts of the service that authorizing a debit uses. */
export type DebitContext = AuthorizationContext & { principals: Principals; agentCache: AgentCache };

/** The caller that acts for an agent: a key, the agent's signature over the request, or both. */
export interface AgentCaller {
  principal: Actor | null;
  line: RequestLine;
  /** The body exactly as sent, without `agent_auth`. */
  body: JsonObject;
  auth: AgentAuth | undefined;
  /** The authority of the write: charges the key's operator, else the payer of the agent that signed. */
  authority: SignerAuthority;
  /** How quotas apply to the write; by default they may refuse it. */
  enforcement?: QuotaEnforcement;
}

/**
 * Returns the caller of a request that a key or an agent's signature authorizes. Write with its `authority`.
 * @param line the request's method, path and query string, which an agent's signature does not allow
 * @param enforcement `never refused` for a write that ends something, such as an engagement
 * @throws ApiError unauthorized for a request with neither
 */
export function agentCaller(
  { quotas }: { quotas: Quotas },
  principal: Actor | null,
  line: RequestLine,
  { agent_auth: auth, ...body }: JsonObject & { agent_auth?: AgentAuth },
  enforcement: QuotaEnforcement = 'refusable',
): AgentCaller {
  if (principal === null && auth === undefined) throw unauthorized();
  const key = principal?.authority ?? null;
  return {
    principal,
    line,
    body,
    auth,
    authority: new SignerAuthority(quotas, enforcement === 'refusable' ? key : (key?.neverRefused ?? null)),
    enforcement,
  };
}

/**
 * Checks in the transaction that the caller may debit an agent, and charges the write to the payer of an
 * agent that signed without a key. The caller is the agent itself (`agent_auth`), an issuer key of its
 * sponsor, or its holder key of the sponsor. While it has no sponsor, any admin key may. The spending scope
 * of a key limits the debit; it does not limit what the agent signed.
 * @param amount credits
 * @param product the product that is paid; null for a transfer or an escrow
 * @returns the agent, which is enrolled
 * @throws ApiError as authorizeAgentIn; scope_violation
 */
export async function authorizeDebitIn(
  tx: Transaction,
  trust: DebitContext,
  caller: AgentCaller,
  commitment: string,
  amount: number,
  product: string | null = null,
): Promise<AgentRow> {
  return authorizedIn(tx, trust, caller, commitment, (principal) =>
    debitScopeIn(tx, trust, principal, { amount, product }),
  );
}

/**
 * Checks in the transaction that the caller may act for an agent without a debit, such as accepting work:
 * the rules of a debit without the spending scope.
 * @returns the agent, which is enrolled
 * @throws ApiError agent_not_enrolled, including for a revoked agent; forbidden, including while the sponsor
 * is not ACTIVE and for a frozen agent; invalid_proof, nonce_reused, validation_error for an agent's
 * signature; rate_limit_exceeded, quota_exceeded of the payer of an agent that signed
 */
export async function authorizeAgentIn(
  tx: Transaction,
  trust: DebitContext,
  caller: AgentCaller,
  commitment: string,
): Promise<AgentRow> {
  return authorizedIn(tx, trust, caller, commitment, async () => undefined);
}

/** @param requireKey checks a key that authorizes the request @throws ApiError */
async function authorizedIn(
  tx: Transaction,
  trust: DebitContext,
  { principal, line, body, auth, authority, enforcement = 'refusable' }: AgentCaller,
  commitment: string,
  requireKey: (principal: Actor) => Promise<void>,
): Promise<AgentRow> {
  const agent =
    auth === undefined
      ? await trust.agentCache.enrolledIn(tx, commitment)
      : await verifyAgentAuthIn(tx, trust, commitment, { ...line, body }, auth);
  if (auth === undefined) {
    if (principal === null || !actsForAgent(principal, agent)) {
      throw commonErrors.forbidden({
        message:
          "Only the agent's sponsor, its holder key or its signature can act for the agent (an admin key while it has no sponsor). Use one of these keys, or send agent_auth.",
      });
    }
    await requireKey(principal);
  }
  if (agent.frozenSince !== null) {
    throw commonErrors.forbidden({
      message:
        'The agent is frozen, so nobody can act for it. Ask the administrator of the service to end the freeze.',
    });
  }
  if (!(await isActiveAgent(agent, (seq) => trust.principals.operatorIn(tx, seq)))) {
    throw commonErrors.forbidden({
      message:
        "The account of the agent's sponsor is not active, so nobody can act for the agent. Ask the administrator of the service to activate it.",
    });
  }
  // A request that is refused later is not charged, such as a payment without credits. Its nonce is rolled
  // back, so a stranger could repeat the request and use up the quota of the agent or its sponsor.
  authority.paidAtTheEnd((last) => agentPayer(last, agent), enforcement);
  return agent;
}
