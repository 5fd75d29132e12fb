import type { ServerPart } from '../../platform/module.ts';
import type { StaffingAuth } from '../http/auth.ts';
import type { Meter } from './keys/meter.ts';
import { type AccountRouteServices, accountRoutes } from './routes.ts';

export const server = {
  routes: ({ staffing, auth }: { staffing: AccountRouteServices; auth: StaffingAuth }) => [
    accountRoutes(staffing, auth),
  ],
  tasks: ({
    staffing: { meter, store, dailyKeys },
  }: {
    staffing: { meter: Meter } & Pick<AccountRouteServices, 'store' | 'dailyKeys'>;
  }) => [
    { name: 'write usage', everyMs: 1000, waitsForClock: false, run: () => meter.flush() },
    {
      name: 'forget addresses of new accounts',
      everyMs: 600_000,
      waitsForClock: true,
      run: () => dailyKeys.deleteOld(store),
    },
  ],
} satisfies ServerPart<never, never, never>;
