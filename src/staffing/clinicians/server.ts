import type { ServerPart } from '../../platform/module.ts';
import type { StaffingAuth } from '../http/auth.ts';
import { clinicianRoutes } from './routes.ts';
import type { Clinicians } from './services.ts';

export const server = {
  routes: ({ staffing, auth }: { staffing: Clinicians; auth: StaffingAuth }) => [
    clinicianRoutes(staffing, auth),
  ],
} satisfies ServerPart<never, never, never>;
