import { Elysia } from 'elysia';
import { commonErrors } from '../../http/errors.ts';
import { KEYED, responses, STORED } from '../../http/schema.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { quotasErrors } from '../../operators/quotas/errors.ts';
import { type AccountWalletContext, accountWallet } from './get-account-wallet.ts';
import { AccountWalletResponse } from './schema.ts';

export const walletRoutes = (trust: AccountWalletContext, { keyed }: RouteAuth) =>
  new Elysia({ tags: ['Account'] })
    .use(keyed)
    .get('/api/v1/account/wallet', ({ principal }) => accountWallet(trust, principal), {
      keyed: 'issuer',
      response: responses(
        { 200: AccountWalletResponse },
        KEYED,
        commonErrors.scope_ended,
        STORED,
        commonErrors.agent_not_enrolled,
        quotasErrors.quota_exceeded,
        commonErrors.rate_limit_exceeded,
      ),
      detail: { operationId: 'getAccountWallet' },
    });
