import { Elysia } from 'elysia';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { type AccountWalletContext, accountWallet } from './get-account-wallet.ts';
import { AccountWalletResponse } from './schema.ts';

export const walletRoutes = (trust: AccountWalletContext, { keyed }: RouteAuth) =>
  new Elysia({ tags: ['Account'] })
    .use(keyed)
    .get('/api/v1/account/wallet', ({ principal }) => accountWallet(trust, principal), {
      keyed: 'issuer',
      response: { 200: AccountWalletResponse },
      detail: { operationId: 'getAccountWallet' },
    });
