import type { ServerPart } from '../../platform/module.ts';
import type { StaffingAuth } from '../http/auth.ts';
import { staffingActions } from './actions.ts';
import { type AdminServices, adminRoutes } from './routes.ts';

export const server = {
  routes: ({ staffing, auth }: { staffing: AdminServices; auth: StaffingAuth }) => [
    adminRoutes(staffing, auth),
  ],
  actions: staffingActions,
} satisfies ServerPart<never, never, never>;
