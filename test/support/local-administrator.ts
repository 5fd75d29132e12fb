import pino from 'pino';
import { operationAction } from '../../src/platform/control/operation.ts';
import { openLocalApp } from '../../src/trust/service/local-app.ts';
import { trustModules } from '../../src/trust/service/modules.ts';
import type { TrustApp } from './trust-app.ts';

/** Calls operations of a service as the local administrator, like a command without a running server. */
export async function localAdministrator({ service }: TrustApp) {
  const app = await openLocalApp(service.trust, new Map(), pino({ level: 'silent' }), trustModules);
  return (
    operation: string,
    call: { params?: Record<string, string>; query?: Record<string, string>; body?: object } = {},
  ): Promise<unknown> => operationAction.handle(app, { operation, params: {}, query: {}, ...call });
}
