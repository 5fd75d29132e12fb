import { deleteOldResponses } from '../../platform/http/idempotency/service.ts';
import type { TrustServer } from '../module.ts';

export const server: TrustServer = {
  tasks: ({ trust: { store, clock } }) => [
    {
      name: 'forget old answers',
      everyMs: 600_000,
      waitsForClock: true,
      run: () => deleteOldResponses(store, clock),
    },
  ],
};
