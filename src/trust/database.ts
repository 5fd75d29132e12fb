import { type ModuleEntry, schemaOf } from '../platform/module.ts';
import type { ServiceDatabase } from '../platform/service-definition.ts';
import { trustModules } from './modules.ts';

const IDENTITY = {
  /** 'CsTr'. */
  applicationId: 0x43735472,
  service: 'trust',
  salvage: 'export its receipts (countersign receipts export)',
};

/** Returns the file name and schema of the trust service's database with the tables of some modules. */
export function trustDatabaseOf(modules: readonly ModuleEntry[]): ServiceDatabase {
  return { name: 'trust.db', schema: schemaOf(IDENTITY, modules) };
}

/** The database with the tables of all modules. */
export const trustDatabase = trustDatabaseOf(trustModules);
