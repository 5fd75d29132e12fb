import type { App } from '../platform/http/app.ts';
import { type AppParts, documentedApp } from '../platform/http/documented-app.ts';
import { examplesOf, routesOf } from '../platform/module.ts';
import { staffingApiDescription, TITLE } from './api-description.ts';
import { staffingDialectOf } from './dialect.ts';
import { staffingDoors } from './doors.ts';
import type { LoadedStaffingModule, StaffingRunning } from './module.ts';

/** What the application of the staffing service is made of. */
export interface StaffingAppParts extends StaffingRunning, AppParts<LoadedStaffingModule> {}

/** All routes of the staffing service, in the order in which the documentation shows them. @throws Failure for two of one path */
function staffingRoutes(parts: StaffingAppParts) {
  const { staffing, limits, modules } = parts;
  return routesOf(modules, { ...parts, doors: staffingDoors(staffing, limits) }, ({ routes }) => routes);
}

/** The staffing service's application, with its documentation. */
export function createStaffingApp(parts: StaffingAppParts): App {
  const { modules, serverUrl } = parts;
  return documentedApp(parts, {
    dialect: staffingDialectOf(modules),
    title: TITLE,
    routes: () => staffingRoutes(parts),
    describe: () => staffingApiDescription(modules, serverUrl),
    examples: () => examplesOf(modules),
  });
}
