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
      detail: {
        operationId: 'getAccountWallet',
        summary: "Get the operator's custodial wallet",
        description:
          'The first request makes the wallet, and every later one returns the same address. The service has the private key, stored ' +
          'encrypted, and never returns it; the administrator sends what the wallet holds with `countersign wallets send`. Only the ' +
          'first request writes: a suspended operator and a key whose scope has ended get 403 if there is no wallet yet, and a read-only service 503. A holder key gets ' +
          '403; the payouts of an agent have a wallet of their own.',
      },
    });
