import pino from 'pino';
import { operationAction } from '../../src/platform/control/operation.ts';
import { openLocalApp } from '../../src/trust/service/local-app.ts';
import type { TrustModule } from '../../src/trust/service/module.ts';
import { trustModules } from '../../src/trust/service/modules.ts';
import type { TrustApp } from './trust-app.ts';

/** Calls operations of a service as the local administrator, like a command without a running server. */
export async function localAdministrator(
  { service }: Pick<TrustApp, 'service'>,
  modules: readonly TrustModule[] = trustModules,
) {
  const app = await openLocalApp(service.trust, new Map(), pino({ level: 'silent' }), modules);
  return async (
    operation: string,
    values: Record<string, unknown> = {},
    operator: string | null = null,
  ): Promise<Record<string, unknown>> =>
    Object(await operationAction.handle(app, { operation, operator, arguments: values }));
}
