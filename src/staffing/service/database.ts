import { type ModuleEntry, schemaOf } from '../../platform/module.ts';
import type { ServiceDatabase } from '../../platform/service-definition.ts';
import { staffingModules } from './modules.ts';

const IDENTITY = {
  /** 'CsSt'. */
  applicationId: 0x43735374,
  service: 'staffing',
};

/** Returns the file name and the schema of the service's database with the tables of the given modules. */
export function staffingDatabaseOf(modules: readonly ModuleEntry[]): ServiceDatabase {
  return { name: 'staffing.db', schema: schemaOf(IDENTITY, modules) };
}

/** The database with the tables of all modules. */
export const staffingDatabase = staffingDatabaseOf(staffingModules);
