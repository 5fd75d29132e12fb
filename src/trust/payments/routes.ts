import { Elysia } from 'elysia';
import { requestLineOf } from '../agents/agent-auth.ts';
import { agentsErrors } from '../agents/errors.ts';
import { clockErrors } from '../clock/errors.ts';
import { commonErrors } from '../http/errors.ts';
import { KEYED, PUBLIC, responses, STORED, WRITE } from '../http/schema.ts';
import { agentCaller } from '../ledger/credits/authorization.ts';
import { creditsErrors } from '../ledger/credits/errors.ts';
import { ledgerErrors } from '../ledger/errors.ts';
import type { RouteAuth } from '../operators/auth/route-auth.ts';
import { quotasErrors } from '../operators/quotas/errors.ts';
import { paymentsErrors } from './errors.ts';
import { getWallet, type WalletContext } from './get-wallet.ts';
import { productList } from './list-products.ts';
import {
  ProductsResponse,
  SettlementRequest,
  SettlementResponse,
  SpendRequest,
  SpendResponse,
  WalletQuery,
  WalletResponse,
  WithdrawalRequest,
  WithdrawalResponse,
} from './schema.ts';
import { type SettlementContext, settle } from './settle.ts';
import {
  requireSettlementSignature,
  SETTLEMENT_BODY,
  type SignatureContext,
} from './settlement-signature.ts';
import { type SpendContext, spend } from './spend.ts';
import { type WithdrawalContext, withdraw } from './withdraw.ts';

const PATH = '/api/v1/agent-pay';
const TAGS = ['Agent payments'];

export const walletRoutes = (
  trust: WalletContext & Parameters<typeof productList>[0],
  { keyed, open }: RouteAuth,
) =>
  new Elysia({ tags: TAGS })
    .use(keyed)
    .use(open)
    .get(`${PATH}/wallet`, ({ query, principal }) => getWallet(trust, principal, query.subject_commitment), {
      keyed: 'any',
      query: WalletQuery,
      response: responses(
        { 200: WalletResponse },
        KEYED,
        commonErrors.scope_ended,
        STORED,
        commonErrors.not_found,
        commonErrors.rate_limit_exceeded,
        quotasErrors.quota_exceeded,
      ),
      detail: {
        operationId: 'getAgentWallet',
        summary: 'Get the wallet of an agent',
        description:
          "Needs a key of the agent's sponsor, its holder key, or an admin key if the agent has no sponsor; 403 for all others. " +
          '`available` and `locked` are those of `GET /api/v1/passport/agents/{id}/credits`. `withdrawable` is what a withdrawal can ' +
          'take: only paid credits, which came from a top-up, a subscription or a settlement. The first call makes the custodial wallet of the ' +
          'agent, to which withdrawals are paid; `GET /api/v1/passport/agents/{id}/governance` shows its address.',
      },
    })
    .get(`${PATH}/products`, () => productList(trust), {
      open: 'publicReads',
      response: responses({ 200: ProductsResponse }, PUBLIC),
      detail: {
        operationId: 'listProducts',
        summary: 'List the products and their prices',
        description:
          'What agents can pay for with `POST /api/v1/agent-pay/spend`. The administrator sets the prices (`metering.price.…`).',
        security: [],
      },
    });

/** Payments have their own authentication: a key, or only the agent's signature. */
export const spendRoutes = (
  trust: SpendContext & Parameters<typeof agentCaller>[0],
  { agentAuth }: RouteAuth,
) =>
  new Elysia({ tags: TAGS }).use(agentAuth).post(
    `${PATH}/spend`,
    ({ body, principal: { principal }, request, once, set }) => {
      set.status = 201;
      return spend(trust, agentCaller(trust, principal, requestLineOf(request), body), body, once);
    },
    {
      keyed: 'any',
      body: SpendRequest,
      response: responses(
        { 201: SpendResponse },
        agentsErrors.invalid_proof,
        commonErrors.agent_not_enrolled,
        WRITE,
        clockErrors.clock_wrong,
        PUBLIC,
        quotasErrors.quota_exceeded,
        ledgerErrors.insufficient_credits,
        creditsErrors.scope_violation,
        commonErrors.conflict,
        agentsErrors.nonce_reused,
        commonErrors.idempotency_key_reused,
      ),
      detail: {
        'x-idempotent': true,
        operationId: 'spend',
        summary: 'Pay for a product',
        description:
          'Charges the agent the price of the product and answers with a payment that a merchant can check. Needs an issuer key of the ' +
          "agent's sponsor, its holder key, an admin key if the agent has no sponsor, or `agent_auth`, the signature of the agent, also " +
          'without a key. 402 `scope_violation` if the price is above `max_credits`, or the spending scope of the key (`max_credits`, ' +
          '`products`) does not allow it; 402 `insufficient_credits` if the agent has too few. A debit takes promotional ' +
          'credits first, then paid ones; where these do not suffice, only sandbox credits, and the receipt says so. `nonce` is unique for ' +
          'each agent: the same payment sent twice is charged once, the second time 409 `nonce_reused`. The merchant verifies ' +
          '`meter_receipt` with the key of purpose `credentials`, compares `merchant` and `product`, and accepts each `payment_digest` once, ' +
          'before `expires_at`. docs/payments.md shows how.',
        security: [{ apiKey: [] }, { session: [] }, {}],
      },
    },
  );

/** Withdrawals have their own authentication: a key, or only the agent's signature. */
export const withdrawalRoutes = (
  trust: WithdrawalContext & Parameters<typeof agentCaller>[0],
  { agentAuth }: RouteAuth,
) =>
  new Elysia({ tags: TAGS }).use(agentAuth).post(
    `${PATH}/withdraw`,
    ({ body, principal: { principal }, request, once, set }) => {
      set.status = 201;
      const caller = agentCaller(trust, principal, requestLineOf(request), body);
      return withdraw(trust, caller, body, once, () => {
        set.headers['idempotency-replayed'] = 'true';
      });
    },
    {
      keyed: 'any',
      body: WithdrawalRequest,
      response: responses(
        { 201: WithdrawalResponse },
        agentsErrors.invalid_proof,
        commonErrors.agent_not_enrolled,
        WRITE,
        clockErrors.clock_wrong,
        PUBLIC,
        quotasErrors.quota_exceeded,
        paymentsErrors.insufficient_treasury,
        creditsErrors.scope_violation,
        commonErrors.conflict,
        agentsErrors.nonce_reused,
        commonErrors.idempotency_key_reused,
      ),
      detail: {
        'x-idempotent': true,
        operationId: 'withdraw',
        summary: 'Withdraw paid credits of an agent',
        description:
          "Locks the credits and queues the payout of their worth to the custodial wallet of the agent. Needs an issuer key of the agent's " +
          'sponsor, its holder key, an admin key if the agent has no sponsor, or `agent_auth`, also without a key; 403 for all others. Only ' +
          'paid credits can be withdrawn, also after transfers: 402 `insufficient_treasury` if the agent has too few of them. A key with a ' +
          'spending scope can withdraw at most its `max_credits` at once, and nothing if the scope names products or has ended. The receipt is ' +
          'issued in the same transaction; its `output_hash` is the digest of {withdrawal_id, subject_commitment, amount, usd_cents, reference, ' +
          'address}. The same `reference` with the same amount returns the first withdrawal with its status of now, and ' +
          '`Idempotency-Replayed: true`; with another amount it is 409. When the payout is confirmed, the locked credits leave the ledger; when ' +
          'it fails, they return to the agent.',
        security: [{ apiKey: [] }, { session: [] }, {}],
      },
    },
  );

/** Settlements have their own authentication: an issuer key, and the bytes of the body are kept for the signature of the rail. */
export const settlementRoutes = (trust: SettlementContext & SignatureContext, { keyedWith }: RouteAuth) =>
  new Elysia({ tags: TAGS }).use(keyedWith(SETTLEMENT_BODY)).post(
    `${PATH}/settlement`,
    ({ body, principal, request, once, set }) => {
      requireSettlementSignature(trust, request, body.rail);
      set.status = 201;
      return settle(trust, principal, body, once, () => {
        set.headers['idempotency-replayed'] = 'true';
      });
    },
    {
      keyed: 'issuer',
      body: SettlementRequest,
      response: responses(
        { 201: SettlementResponse },
        agentsErrors.invalid_proof,
        commonErrors.agent_not_enrolled,
        WRITE,
        quotasErrors.quota_exceeded,
        commonErrors.not_configured,
        commonErrors.conflict,
        commonErrors.idempotency_key_reused,
      ),
      detail: {
        'x-idempotent': true,
        'x-request-headers': {
          'X-Settlement-Signature':
            '`t=<seconds since 1970>,v1=<HMAC-SHA256 of t, a full stop and the bytes of the body, in lower-case hexadecimal>`.',
        },
        operationId: 'settle',
        summary: 'Book a settlement of a payment rail',
        description:
          'Credits an agent with what a payment rail settled for it: paid credits, which can be withdrawn. Needs an issuer key, and the ' +
          'signature of the rail in `X-Settlement-Signature`: `openssl dgst -sha256 -hmac` computes it, as docs/payments.md shows. The key ' +
          'is the secret that the administrator shares with the rail (`payments.settlement.<rail>.secret`); without one 503 ' +
          '`not_configured`. 401 `invalid_proof` if the signature does not verify, or its time differs from that of the service by more ' +
          'than 300 seconds in either direction. A rail settles a `reference` once: the same body again, also with a new signature, returns the ' +
          'first response with `Idempotency-Replayed: true`; another body is 409. The agent can be one of another sponsor.',
      },
    },
  );
