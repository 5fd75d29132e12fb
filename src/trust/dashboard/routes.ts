import { Elysia } from 'elysia';
import type { TrustAuth } from '../auth.ts';
import type { TrustContext } from '../context.ts';
import { KEYED, responses, STORED } from '../http/schema.ts';
import { operatorStatus } from './dashboard.ts';
import { DashboardResponse } from './schema.ts';

export const dashboardRoutes = (trust: TrustContext, { keyed }: TrustAuth) =>
  new Elysia({ tags: ['Operator'] })
    .use(keyed)
    .get('/api/v1/operator/status', ({ principal }) => operatorStatus(trust, principal), {
      keyed: 'any',
      response: responses({ 200: DashboardResponse }, KEYED, STORED, 'agent_not_enrolled'),
      detail: {
        operationId: 'getOperatorStatus',
        summary: "The operator's dashboard",
        description:
          'Credits, tier, account status, stake, and how many keys and receipts there are. `gate` says of each domain ' +
          'what the gate answers now, how many further SLA breaches it would take to be denied, and when a denial lifts by ' +
          'itself; `operators pardon` lifts one at once. `quota` says what the account may write. A holder key sees it only ' +
          'where the operator is the agent’s own.',
      },
    });
