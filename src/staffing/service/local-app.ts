import { BlockList } from 'node:net';
import type { Logger } from 'pino';
import { type OperationApp, operationApp } from '../../platform/control/operation-app.ts';
import { keyed } from '../../platform/http/auth/keyed.ts';
import { idempotencyStore } from '../../platform/http/idempotency/service.ts';
import { RateLimiter } from '../../platform/http/request/rate-limits.ts';
import { server } from '../admin/server.ts';
import { staffingDialect } from '../http/dialect.ts';
import type { Admin } from '../http/principal.ts';
import type { CommandContext } from './context.ts';

/**
 * Creates the application of the local administrator, which no listener serves: the operations of the admin
 * token and the local ones, without rate limits.
 */
export function localStaffingApp(staffing: CommandContext, log: Logger): OperationApp {
  const admin = keyed<Admin, true>({
    authenticate: async () => ({ isAdmin: true }),
    authorize: null,
    idempotencyScope: () => null,
    idempotency: idempotencyStore(staffing.clock, { isAhead: false }),
  });
  const routes = async () => [
    ...server.routes({ staffing, auth: { admin } }),
    ...server.localRoutes({ staffing }),
  ];
  const limits = new RateLimiter({ on: false, trustedProxies: new BlockList() });
  return operationApp(routes, { dialect: staffingDialect, log, limits });
}
