import { Elysia } from 'elysia';
import { requestLineOf } from '../agents/agent-auth.ts';
import { agentCaller } from '../ledger/credits/authorization.ts';
import type { RouteAuth } from '../operators/auth/route-auth.ts';
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
import { requireExactReference, type SettlementContext, settle } from './settle.ts';
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
      response: { 200: WalletResponse },
      detail: { operationId: 'getAgentWallet' },
    })
    .get(`${PATH}/products`, () => productList(trust), {
      open: 'publicReads',
      response: { 200: ProductsResponse },
      detail: { operationId: 'listProducts', security: [] },
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
      response: { 201: SpendResponse },
      detail: { operationId: 'spend', 'x-idempotent': true, security: [{ apiKey: [] }, { session: [] }, {}] },
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
      response: { 201: WithdrawalResponse },
      detail: {
        operationId: 'withdraw',
        'x-idempotent': true,
        security: [{ apiKey: [] }, { session: [] }, {}],
      },
    },
  );

/**
 * Settlements have their own authentication: an issuer key, and the bytes of the body are kept for the
 * signature of the rail.
 */
export const settlementRoutes = (trust: SettlementContext & SignatureContext, { keyedWith }: RouteAuth) =>
  new Elysia({ tags: TAGS }).use(keyedWith(SETTLEMENT_BODY)).post(
    `${PATH}/settlement`,
    ({ body, principal, request, once, set }) => {
      requireSettlementSignature(trust, request, body.rail);
      requireExactReference(body.reference);
      set.status = 201;
      return settle(trust, principal, body, once, () => {
        set.headers['idempotency-replayed'] = 'true';
      });
    },
    {
      keyed: 'issuer',
      body: SettlementRequest,
      response: { 201: SettlementResponse },
      detail: {
        operationId: 'settle',
        'x-idempotent': true,
        'x-optional-request-headers': {
          'X-Settlement-Signature':
            '`t=<seconds since 1970>,v1=<HMAC-SHA256 of t, a full stop and the bytes of the body, in lower-case hexadecimal>`. Required without `webhook-signature`.',
          'webhook-id': 'By Standard Webhooks: the id of the message, 1 to 256 visible ASCII characters.',
          'webhook-timestamp': 'By Standard Webhooks: seconds since 1970.',
          'webhook-signature': 'By Standard Webhooks: `v1,<base64>`, one or more, separated by spaces.',
        },
      },
    },
  );
