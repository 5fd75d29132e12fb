import type { Logger } from 'pino';
import { type App, createApp } from '../platform/http/app.ts';
import { createDocs } from '../platform/http/docs.ts';
import type { Limits } from '../platform/http/limits.ts';
import type { Observer } from '../platform/observer.ts';
import { accountRoutes } from './accounts/routes.ts';
import { adminRoutes } from './admin/routes.ts';
import { staffingApiDescription } from './api-description.ts';
import { clinicianRoutes } from './clinicians/routes.ts';
import type { Staffing } from './context.ts';
import { staffingDialect } from './dialect.ts';
import { discoveryRoutes } from './discovery.ts';
import { staffingDoors } from './doors.ts';
import { jobRoutes } from './jobs/routes.ts';
import { webhookRoutes } from './webhooks/routes.ts';

/** All routes of the staffing service, in the order in which the documentation shows them. */
export function staffingRoutes(staffing: Staffing, limits: Limits, version: string) {
  const doors = staffingDoors(staffing, limits);
  return [
    accountRoutes(staffing, doors),
    clinicianRoutes(staffing, doors),
    jobRoutes(staffing, doors),
    webhookRoutes(staffing, doors),
    adminRoutes(staffing, doors),
    discoveryRoutes(staffing, doors, version),
  ];
}

/** The staffing service's application, with its documentation. */
export function createStaffingApp(
  staffing: Staffing,
  limits: Limits,
  log: Logger,
  version: string,
  serverUrl: string,
  observer: Observer,
): App {
  const description = staffingApiDescription(serverUrl);
  const docs = createDocs(description.title, async () => {
    const { openApiDocument } = await import('../platform/http/openapi.ts');
    return openApiDocument(staffingRoutes(staffing, limits, version), description);
  });
  return createApp(staffingDialect, log, limits, staffingRoutes(staffing, limits, version), docs, observer);
}
