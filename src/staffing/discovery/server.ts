import type { ServerPart } from '../../platform/module.ts';
import type { HealthMonitor } from '../../platform/monitoring/health.ts';
import type { StaffingAuth } from '../http/auth.ts';
import { discoveryRoutes } from './routes.ts';

/** The parts of the open service that the health endpoint reports. */
interface DiscoveryServing {
  staffing: { health: HealthMonitor };
  auth: StaffingAuth;
  version: string;
  /** Null when the service is not a demonstration. */
  demonstration: object | null;
}

export const server = {
  routes: ({ staffing, auth, version, demonstration }: DiscoveryServing) => [
    discoveryRoutes(staffing, auth, version, demonstration !== null),
  ],
} satisfies ServerPart<never, never, never>;
