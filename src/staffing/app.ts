import type { Logger } from 'pino';
import { type App, createApp } from '../platform/http/app.ts';
import { createDocs } from '../platform/http/docs.ts';
import type { Limits } from '../platform/http/limits.ts';
import { routesOf } from '../platform/module.ts';
import type { Observer } from '../platform/observer.ts';
import { staffingApiDescription, TITLE } from './api-description.ts';
import { staffingDialectOf } from './dialect.ts';
import { staffingDoors } from './doors.ts';
import type { LoadedStaffingModule, StaffingRunning } from './module.ts';

/** What the application of the staffing service is made of. */
export interface StaffingAppParts extends StaffingRunning {
  modules: readonly LoadedStaffingModule[];
  limits: Limits;
  log: Logger;
  observer: Observer;
  version: string;
  /** Where clients reach it, `/` being wherever the documentation was fetched from. */
  serverUrl: string;
}

/** All routes of the staffing service, in the order in which the documentation shows them. @throws Failure for two of one path */
function staffingRoutes(parts: StaffingAppParts) {
  const { staffing, limits, modules } = parts;
  return routesOf(modules, { ...parts, doors: staffingDoors(staffing, limits) }, ({ routes }) => routes);
}

/** The staffing service's application, with its documentation. */
export function createStaffingApp(parts: StaffingAppParts): App {
  const { modules, limits, log, observer, serverUrl } = parts;
  const docs = createDocs(TITLE, async () => {
    const { openApiDocument } = await import('../platform/http/openapi.ts');
    return openApiDocument(staffingRoutes(parts), staffingApiDescription(modules, serverUrl));
  });
  return createApp(staffingDialectOf(modules), log, limits, staffingRoutes(parts), docs, observer);
}
