import type { ServerPart } from '../../platform/module.ts';
import type { StaffingAuth } from '../http/auth.ts';
import { requisitionRoutes } from './routes.ts';
import type { Requisitions } from './services.ts';

export const server = {
  routes: ({ staffing, auth }: { staffing: Requisitions; auth: StaffingAuth }) => [
    requisitionRoutes(staffing, auth),
  ],
} satisfies ServerPart<never, never, never>;
