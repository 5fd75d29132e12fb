import type { TrustServer } from '../service/module.ts';
import { operatorActions } from './actions.ts';
import { deleteExpiredSessions } from './auth/sessions.ts';
import { operatorRoutes } from './routes.ts';

export const server: TrustServer = {
  routes: ({ trust, auth, secure }) => [operatorRoutes(trust, auth, secure)],
  tasks: ({ trust: { store, clock } }) => [
    {
      name: 'forget old sessions',
      everyMs: 600_000,
      waitsForClock: true,
      run: () => deleteExpiredSessions(store, clock),
    },
  ],
  actions: operatorActions,
};
