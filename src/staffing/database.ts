import { staffingSchema } from '../../db/staffing/schema.ts';
import { withMigrations } from '../platform/module.ts';
import type { ServiceDatabase } from '../platform/service.ts';
import { staffingModules } from './modules.ts';

/** The database in a data directory of this service: its file's name, and its schema. */
export const staffingDatabase: ServiceDatabase = {
  name: 'staffing.db',
  schema: withMigrations(staffingSchema, staffingModules),
};
