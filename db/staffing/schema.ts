import type { Schema } from '../../src/platform/store/migrations.ts';
import accounts from './migrations/0001_accounts.sql' with { type: 'text' };
import suppressions from './migrations/0002_suppressions.sql' with { type: 'text' };
import jobs from './migrations/0003_jobs.sql' with { type: 'text' };
import webhooks from './migrations/0004_webhooks.sql' with { type: 'text' };
import idempotency from './migrations/0005_idempotency.sql' with { type: 'text' };

/** The staffing service's database: 'CsSt' as application_id, and its migrations in order. */
export const staffingSchema: Schema = {
  applicationId: 0x43735374,
  service: 'staffing',
  migrations: [
    { name: '0001_accounts', sql: accounts },
    { name: '0002_suppressions', sql: suppressions },
    { name: '0003_jobs', sql: jobs },
    { name: '0004_webhooks', sql: webhooks },
    { name: '0005_idempotency', sql: idempotency },
  ],
};
