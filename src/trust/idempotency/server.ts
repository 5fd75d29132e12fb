import { deleteOldResponses } from '../../platform/idempotency/service.ts';
import type { ServerPart } from '../../platform/module.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { Running } from '../http/serving.ts';

export const server = {
  tasks: ({ trust: { store, clock } }: Running<{ store: Store; clock: Clock }>) => [
    {
      name: 'forget old answers',
      everyMs: 600_000,
      waitsForClock: true,
      run: () => deleteOldResponses(store, clock),
    },
  ],
} satisfies ServerPart<never, never, never>;
