import { type ModuleEntry, schemaOf } from '../platform/module.ts';
import type { ServiceDatabase } from '../platform/service-definition.ts';
import { trustModules } from './modules.ts';

const IDENTITY = {
  /** 'CsTr'. */
  applicationId: 0x43735472,
  service: 'trust',
  salvage: 'export its receipts (countersign receipts export)',
};

/** The database in a data directory of this service, with the tables of some modules: its file's name, and its schema. */
export function trustDatabaseOf(modules: readonly ModuleEntry[]): ServiceDatabase {
  return { name: 'trust.db', schema: schemaOf(IDENTITY, modules) };
}

/** The same with those of all that there are. */
export const trustDatabase = trustDatabaseOf(trustModules);
