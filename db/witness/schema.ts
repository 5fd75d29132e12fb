import type { Schema } from '../../src/platform/store/migrations.ts';
import witness from './migrations/0001_witness.sql' with { type: 'text' };

/** The witness's database: 'CsWi' as application_id, and its migrations in order. */
export const witnessSchema: Schema = {
  applicationId: 0x43735769,
  service: 'witness',
  migrations: [{ name: '0001_witness', sql: witness }],
};
