import { type ModuleEntry, schemaOf } from '../../platform/module.ts';
import type { ServiceDatabase } from '../../platform/service-definition.ts';
import { trustModules } from './modules.ts';

const IDENTITY = {
  /** 'CsTr'. */
  applicationId: 0x43735472,
  service: 'trust',
  salvage: 'export its receipts (countersign receipts export)',
};

const NAME = 'trust.db';

/** The database with the tables of all modules. */
export const trustDatabase: ServiceDatabase = { name: NAME, schema: schemaOf(IDENTITY, trustModules) };

const known = new WeakMap<readonly ModuleEntry[], ServiceDatabase>([[trustModules, trustDatabase]]);

/**
 * Returns the file name and schema of the trust service's database with the tables of some modules. For the
 * same modules it is always the same object, because the content of new databases is computed once for each.
 */
export function trustDatabaseOf(modules: readonly ModuleEntry[]): ServiceDatabase {
  const earlier = known.get(modules);
  if (earlier !== undefined) return earlier;
  const database = { name: NAME, schema: schemaOf(IDENTITY, modules) };
  known.set(modules, database);
  return database;
}
