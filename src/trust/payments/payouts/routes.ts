import { Elysia } from 'elysia';
import type { Cursors } from '../../../platform/http/pagination/cursor.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { getWithdrawal } from './get-withdrawal.ts';
import { listWithdrawals } from './list-withdrawals.ts';
import { WithdrawalListQuery, WithdrawalListResponse, WithdrawalPath, WithdrawalResponse } from './schema.ts';
import type { PayoutsPolicy } from './settings.ts';

const PREFIX = '/api/v1/agent-pay/withdrawals';

export const withdrawalRoutes = (
  trust: { store: Store; cursors: Cursors; policy: PayoutsPolicy },
  { keyed }: RouteAuth,
) =>
  new Elysia({ tags: ['Agent payments'] })
    .use(keyed)
    .get(PREFIX, ({ principal, query }) => listWithdrawals(trust, principal, query), {
      keyed: 'any',
      query: WithdrawalListQuery,
      response: { 200: WithdrawalListResponse },
      detail: { operationId: 'listWithdrawals' },
    })
    .get(
      `${PREFIX}/:withdrawalId`,
      ({ params, principal }) => getWithdrawal(trust, principal, params.withdrawalId),
      {
        keyed: 'any',
        params: WithdrawalPath,
        response: { 200: WithdrawalResponse },
        detail: { operationId: 'getWithdrawal' },
      },
    );
