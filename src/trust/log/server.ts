import type { ModuleTask, ServerPart } from '../../platform/module.ts';
import type { Store } from '../../platform/store/store.ts';
import type { PublicAuth } from '../http/rate-limits.ts';
import type { ContextOf, Running, Serving } from '../http/serving.ts';
import { Thinning } from './checkpoints/thinning.ts';
import type { TrustLog } from './lifecycle/open.ts';
import { logMetrics } from './metrics.ts';
import { logRoutes } from './routes.ts';
import { logSettings } from './settings.ts';

/**
 * Growth starts a round at once. This often, in milliseconds, the publisher looks at the clock, and for what
 * time or a new key makes due.
 */
const PUBLISH_MS = 1000;

/** The milliseconds between two runs that delete old checkpoints: a growing log brings 300 every minute. */
const THIN_MS = 10_000;

export const server = {
  routes: ({ trust, auth }: Serving<ContextOf<typeof logRoutes>, PublicAuth>) => [logRoutes(trust, auth)],
  tasks: ({ trust: { log, store }, config }: Running<{ log: TrustLog; store: Store }>) => [
    {
      name: 'publish checkpoints',
      everyMs: PUBLISH_MS,
      waitsForClock: false,
      run: () => log.publisher.publishInTime(),
      onSchedule: (runIn) => log.publisher.onSchedule(runIn),
    },
    thinningTask(new Thinning(store, log.publisher.cosigned, logSettings.keepCheckpointsDays.in(config))),
  ],
  metrics: ({ trust }: Running<ContextOf<typeof logMetrics>>) => logMetrics(trust),
} satisfies ServerPart<never, never, never>;

function thinningTask(thinning: Thinning): ModuleTask {
  return { name: 'delete old checkpoints', everyMs: THIN_MS, waitsForClock: true, run: () => thinning.run() };
}
