import { Elysia } from 'elysia';
import type { Store } from '../../../platform/store/store.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import type { Quotas } from '../../operators/quotas/quotas.ts';
import type { OperatorsPolicy } from '../../operators/settings.ts';
import type { GatePolicy } from '../../receipts/gate/settings.ts';
import { operatorStatus } from './get-operator-status.ts';
import { DashboardResponse } from './schema.ts';

/** The parts of the service that are used here. */
interface Context {
  store: Store;
  clock: Clock;
  policy: GatePolicy & OperatorsPolicy;
  quotas: Quotas;
}

export const dashboardRoutes = (trust: Context, { operating }: RouteAuth) =>
  new Elysia({ tags: ['Operator'] })
    .use(operating)
    .get('/api/v1/operator/status', ({ principal }) => operatorStatus(trust, principal), {
      keyed: 'any',
      response: { 200: DashboardResponse },
      detail: { operationId: 'getOperatorStatus' },
    });
