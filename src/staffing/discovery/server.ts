import type { Demonstration } from '../../platform/http/openapi/demonstration.ts';
import type { ServerPart } from '../../platform/module.ts';
import type { HealthMonitor } from '../../platform/monitoring/health.ts';
import type { StaffingAuth } from '../http/auth.ts';
import { discoveryRoutes } from './routes.ts';

/** The parts of the open service that the health endpoint reports. */
interface DiscoveryServing {
  staffing: { health: HealthMonitor };
  auth: StaffingAuth;
  version: string;
  /** The description of a demonstration or a test service; null for any other. */
  demonstration: Pick<Demonstration, 'kind'> | null;
}

export const server = {
  routes: ({ staffing, auth, version, demonstration }: DiscoveryServing) => [
    discoveryRoutes(staffing, auth, version, demonstration?.kind ?? null),
  ],
} satisfies ServerPart<never, never, never>;
