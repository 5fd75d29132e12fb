import { type ModuleEntry, schemaOf } from '../platform/module.ts';
import type { ServiceDatabase } from '../platform/service-definition.ts';
import { witnessModules } from './modules.ts';

const IDENTITY = {
  /** 'CsWi'. */
  applicationId: 0x43735769,
  service: 'witness',
};

/** The database in the data directory of a witness, with the tables of some modules: its file's name, and its schema. */
export function witnessDatabaseOf(modules: readonly ModuleEntry[]): ServiceDatabase {
  return { name: 'witness.db', schema: schemaOf(IDENTITY, modules) };
}

/** The same with those of all that there are. */
export const witnessDatabase = witnessDatabaseOf(witnessModules);
