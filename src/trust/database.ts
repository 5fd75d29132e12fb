import { trustSchema } from '../../db/trust/schema.ts';
import { type ModuleEntry, withMigrations } from '../platform/module.ts';
import { trustModules } from './modules.ts';

/** The database in a data directory of this service, with the tables of some modules: its file's name, and its schema. */
export function trustDatabaseOf(modules: readonly ModuleEntry[]) {
  return { name: 'trust.db', schema: withMigrations(trustSchema, modules) };
}

/** The same with those of all that there are. */
export const trustDatabase = trustDatabaseOf(trustModules);
