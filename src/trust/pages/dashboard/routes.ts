import { Elysia } from 'elysia';
import { commonErrors } from '../../http/errors.ts';
import { KEYED, responses, STORED } from '../../http/schema.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import type { TrustContext } from '../../service/context.ts';
import { operatorStatus } from './dashboard.ts';
import { DashboardResponse } from './schema.ts';

export const dashboardRoutes = (trust: TrustContext, { keyed }: RouteAuth) =>
  new Elysia({ tags: ['Operator'] })
    .use(keyed)
    .get('/api/v1/operator/status', ({ principal }) => operatorStatus(trust, principal), {
      keyed: 'any',
      response: responses({ 200: DashboardResponse }, KEYED, STORED, commonErrors.agent_not_enrolled),
      detail: {
        operationId: 'getOperatorStatus',
        summary: "Get the operator's status",
        description:
          'Credits, tier, account status, stake, and the numbers of keys and receipts. `gate` has for each domain the current ' +
          'decision of the gate, the number of further SLA breaches until it denies, and the time when a denial ends; `operators ' +
          'pardon` ends one at once. `quota` has the limits of the operator. `linked_account` says whether the account ' +
          'is linked. A holder key can read this only if the operator is the agent’s own.',
      },
    });
