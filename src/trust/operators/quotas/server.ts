import type { ServerPart } from '../../../platform/module.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Running } from '../../http/serving.ts';
import type { Quotas } from './quotas.ts';

export const server = {
  tasks: ({ trust: { store, quotas } }: Running<{ store: Store; quotas: Quotas }>) => [
    {
      name: 'forget addresses of enrollments',
      everyMs: 600_000,
      waitsForClock: true,
      run: () => quotas.deleteOldProvisions(store),
    },
  ],
} satisfies ServerPart<never, never, never>;
