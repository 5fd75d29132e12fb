import type { Schema } from '../../src/platform/store/migrations.ts';
import accounts from './migrations/0001_accounts.sql' with { type: 'text' };
import suppressedRecords from './migrations/0002_suppressed_records.sql' with { type: 'text' };

/** The staffing service's database: 'CsSt' as application_id, and its migrations in order. */
export const staffingSchema: Schema = {
  applicationId: 0x43735374,
  service: 'staffing',
  migrations: [
    { name: '0001_accounts', sql: accounts },
    { name: '0002_suppressed_records', sql: suppressedRecords },
  ],
};
