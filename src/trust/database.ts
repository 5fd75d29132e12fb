import { trustSchema } from '../../db/trust/schema.ts';

/** The database in a data directory of this service: its file's name, and its schema. */
export const trustDatabase = { name: 'trust.db', schema: trustSchema };
