import type { TrustServer } from '../module.ts';
import { keyActions } from './actions.ts';
import { activateDueKeys } from './rotation.ts';
import { keyRoutes } from './routes.ts';

/** The next key takes over within this of its time, in milliseconds. To ask costs no look at the database while none is due. */
const ACTIVATE_MS = 1000;

export const server: TrustServer = {
  routes: ({ trust, auth }) => [keyRoutes(trust, auth)],
  tasks: ({ trust }) => [{ name: 'activate keys', everyMs: ACTIVATE_MS, run: () => activateDueKeys(trust) }],
  actions: keyActions,
};
