import { staffingSchema } from '../../db/staffing/schema.ts';
import type { ServiceDatabase } from '../platform/service.ts';

/** The database in a data directory of this service: its file's name, and its schema. */
export const staffingDatabase: ServiceDatabase = { name: 'staffing.db', schema: staffingSchema };
