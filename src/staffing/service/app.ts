import { type AppParts, documentedApp, type GrowingApp } from '../../platform/http/documented-app.ts';
import { descriptionsOf, errorTable, examplesOf, type ModuleEntry, routesOf } from '../../platform/module.ts';
import { administrationDocument, partnersDocument, SITE_LINKS } from '../http/api-description.ts';
import { staffingDialect } from '../http/dialect.ts';
import { commonErrors } from '../http/errors.ts';
import { problemOf } from '../http/schema.ts';
import { staffingAuth, verifyPayer } from './auth.ts';
import type { LoadedStaffingModule, StaffingRunning } from './module.ts';
import { staffingSettings } from './settings.ts';

/** The parts of the staffing service's HTTP application. */
export interface StaffingAppParts extends StaffingRunning, AppParts<ModuleEntry, LoadedStaffingModule> {}

/**
 * Returns the routes of the modules in the order of the documentation. @throws Failure when two routes have
 * the same path
 */
function routesIn(loaded: readonly LoadedStaffingModule[], parts: StaffingAppParts) {
  const { staffing, limits } = parts;
  return routesOf(loaded, { ...parts, auth: staffingAuth(staffing, limits) }, ({ routes }) => routes);
}

/** Creates the staffing service's HTTP application, including its documentation. */
export function createStaffingApp(parts: StaffingAppParts): GrowingApp {
  const { modules, early, loaded, serverUrl } = parts;
  // Refuses two errors with one code.
  const table = errorTable([{ name: 'common', errors: commonErrors }, ...modules]);
  return documentedApp(parts, {
    dialect: staffingDialect,
    early: () => routesIn(early, parts),
    routes: async () => routesIn(await loaded(), parts),
    documents: [partnersDocument(modules, serverUrl), administrationDocument(modules, serverUrl)],
    site: {
      unlisted: ['/api/', '/admin/'],
      links: SITE_LINKS,
      securityContact: staffingSettings.securityContact.in(parts.config),
      clock: parts.staffing.clock,
    },
    descriptions: () => descriptionsOf(modules),
    errors: async () => ({ table, sets: (await import('../http/error-sets.ts')).errorSets, problemOf }),
    examples: () => examplesOf(modules),
    payers: parts.staffing.principals.payers,
    verifyPayer: (request) => verifyPayer(parts.staffing, request),
    publicReads: parts.staffing.policy.publicReads,
  });
}
