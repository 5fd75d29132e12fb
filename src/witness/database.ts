import { type ModuleEntry, schemaOf } from '../platform/module.ts';
import type { ServiceDatabase } from '../platform/service-definition.ts';
import { witnessModules } from './modules.ts';

const IDENTITY = {
  /** 'CsWi'. */
  applicationId: 0x43735769,
  service: 'witness',
};

/** Returns the file name and the schema of a witness's database with the tables of the given modules. */
export function witnessDatabaseOf(modules: readonly ModuleEntry[]): ServiceDatabase {
  return { name: 'witness.db', schema: schemaOf(IDENTITY, modules) };
}

/** The database with the tables of all modules. */
export const witnessDatabase = witnessDatabaseOf(witnessModules);
