import type { ServerPart } from '../../../platform/module.ts';
import type { PublicAuth } from '../../http/rate-limits.ts';
import type { ContextOf, Running, Serving } from '../../http/serving.ts';
import { activateDueKeys, nextActivationOf } from './activate-due.ts';
import { localKeyRoutes } from './local-routes.ts';
import { keyRoutes } from './routes.ts';

/**
 * The next key takes over at most this long after its time, in milliseconds. The check reads no database
 * while no key is due.
 */
const ACTIVATE_MS = 1000;

export const server = {
  routes: ({ trust, auth }: Serving<ContextOf<typeof keyRoutes>, PublicAuth>) => [keyRoutes(trust, auth)],
  localRoutes: ({ trust }: Serving<ContextOf<typeof localKeyRoutes>, PublicAuth>) => [localKeyRoutes(trust)],
  tasks: ({ trust }: Running<ContextOf<typeof activateDueKeys>>) => [
    {
      name: 'activate keys',
      everyMs: ACTIVATE_MS,
      waitsForClock: false,
      run: () => activateDueKeys(trust),
      dueAt: async (after) => nextActivationOf(trust, after),
    },
  ],
} satisfies ServerPart<never, never, never>;
