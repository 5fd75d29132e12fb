import type { TrustServer } from '../../service/module.ts';
import { keyActions } from './actions.ts';
import { activateDueKeys } from './rotation.ts';
import { keyRoutes } from './routes.ts';

/** The next key takes over at most this long after its time, in milliseconds. The check reads no database while no key is due. */
const ACTIVATE_MS = 1000;

export const server: TrustServer = {
  routes: ({ trust, auth }) => [keyRoutes(trust, auth)],
  tasks: ({ trust }) => [
    {
      name: 'activate keys',
      everyMs: ACTIVATE_MS,
      waitsForClock: false,
      run: () => activateDueKeys(trust),
    },
  ],
  actions: keyActions,
};
