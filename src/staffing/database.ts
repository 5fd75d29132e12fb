import { type ModuleEntry, schemaOf } from '../platform/module.ts';
import type { ServiceDatabase } from '../platform/service-definition.ts';
import { staffingModules } from './modules.ts';

const IDENTITY = {
  /** 'CsSt'. */
  applicationId: 0x43735374,
  service: 'staffing',
};

/** The database in a data directory of this service, with the tables of some modules: its file's name, and its schema. */
export function staffingDatabaseOf(modules: readonly ModuleEntry[]): ServiceDatabase {
  return { name: 'staffing.db', schema: schemaOf(IDENTITY, modules) };
}

/** The same with those of all that there are. */
export const staffingDatabase = staffingDatabaseOf(staffingModules);
