import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { TRANSFER_ASSETS, TRANSFER_STATUSES } from '../../../../db/trust/payouts-enums.ts';
import { WALLET_OWNERS } from '../../../../db/trust/wallets-enums.ts';
import { limitParameter, nullable, oneOf, strictObject } from '../../../platform/http/schema.ts';
import type { ContextOf } from '../../http/serving.ts';
import { listWallets } from './list-wallets.ts';
import { previewTransfer } from './preview-transfer.ts';
import { sendFromCustodialWallet } from './send-from-wallet.ts';

const text = Type.String({ minLength: 1, maxLength: 256 });

const WalletWithBalance = strictObject({
  owner: nullable(Type.String()),
  kind: oneOf(WALLET_OWNERS),
  address: Type.String(),
  chain: Type.String(),
  created_at: Type.String(),
  /** Exact decimal text; null if no chain is configured, or its node does not respond. */
  tokens: nullable(Type.String()),
  coins: nullable(Type.String()),
});

const WalletListQuery = strictObject({
  balances: Type.Optional(oneOf(['true', 'false'])),
  limit: limitParameter('Wallets per page.', 100),
  cursor: Type.Optional(Type.String({ maxLength: 512 })),
});

export const WalletListResponse = strictObject({
  wallets: Type.Array(WalletWithBalance),
  next_cursor: nullable(Type.String()),
  problem: nullable(Type.String()),
});

const order = { wallet: text, to: text, amount: text, asset: oneOf(TRANSFER_ASSETS) };

export const PreviewResponse = strictObject({
  wallet: WalletWithBalance,
  to: Type.String(),
  /** The contract of the token; null for the coin of the chain. */
  token: nullable(Type.String()),
});

const SendRequest = strictObject({
  ...order,
  fund_gas: Type.Optional(Type.Boolean()),
  reference: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
});

export const SendResponse = strictObject({
  status: oneOf(TRANSFER_STATUSES),
  from: Type.String(),
  to: Type.String(),
  asset: oneOf(TRANSFER_ASSETS),
  amount: nullable(Type.String()),
  transaction_hash: nullable(Type.String()),
  gas_transaction_hash: nullable(Type.String()),
  replayed: Type.Boolean(),
  detail: nullable(Type.String()),
});

/** The local operations of custodial wallets. */
export const localWalletRoutes = (
  trust: ContextOf<typeof listWallets> & ContextOf<typeof sendFromCustodialWallet>,
) =>
  new Elysia()
    .get('/local/wallets', ({ query }) => listWallets(trust, query), {
      query: WalletListQuery,
      response: { 200: WalletListResponse },
      detail: { operationId: 'listWallets' },
    })
    .post('/local/wallets/preview', ({ body }) => previewTransfer(trust, body), {
      body: strictObject(order),
      response: { 200: PreviewResponse },
      detail: { operationId: 'previewTransfer' },
    })
    .post('/local/wallets/send', ({ body }) => sendFromCustodialWallet(trust, body), {
      body: SendRequest,
      response: { 200: SendResponse },
      detail: { operationId: 'sendFromWallet' },
    });
