import type { ServerPart } from '../../platform/module.ts';
import type { Accounts } from '../accounts/services.ts';
import type { Suppressions } from '../suppressions/services.ts';
import { localAdminRoutes } from './local-routes.ts';
import { type AdminAuth, type AdminServices, adminRoutes } from './routes.ts';

export const server = {
  routes: ({ staffing, auth }: { staffing: AdminServices; auth: AdminAuth }) => [adminRoutes(staffing, auth)],
  localRoutes: ({ staffing }: { staffing: Accounts & Suppressions }) => [localAdminRoutes(staffing)],
} satisfies ServerPart<never, never, never>;
