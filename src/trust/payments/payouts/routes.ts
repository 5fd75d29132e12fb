import { Elysia } from 'elysia';
import type { Cursors } from '../../../platform/http/pagination/cursor.ts';
import type { Store } from '../../../platform/store/store.ts';
import { commonErrors } from '../../http/errors.ts';
import { KEYED, responses, STORED } from '../../http/schema.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { readWithdrawal } from './get.ts';
import { listWithdrawals } from './list.ts';
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
      response: responses({ 200: WithdrawalListResponse }, KEYED, STORED, commonErrors.not_found),
      detail: {
        operationId: 'listWithdrawals',
        summary: "List an agent's withdrawals",
        description:
          'Newest first. For the keys that may act for the agent: its holder key, issuer keys of its sponsor, and admin keys while it ' +
          'has no sponsor.',
      },
    })
    .get(
      `${PREFIX}/:withdrawalId`,
      ({ params, principal }) => readWithdrawal(trust, principal, params.withdrawalId),
      {
        keyed: 'any',
        params: WithdrawalPath,
        response: responses({ 200: WithdrawalResponse }, KEYED, STORED, commonErrors.not_found),
        detail: {
          operationId: 'getWithdrawal',
          summary: 'Get a withdrawal',
          description:
            'The state of its payout: `queued`, `submitted`, then `confirmed` or `failed`. A withdrawal is paid to the wallet that it ' +
            'reserved credits for, also if the agent was revoked meanwhile: what it earned stays its own. While the account of the ' +
            "agent's sponsor is suspended or closed, a queued withdrawal waits until the account is active again, or until an " +
            'administrator fails it and so returns the credits; one that was submitted continues. Others than those who act for the agent ' +
            'get 404.',
        },
      },
    );
