import type { Schema } from '../../src/platform/store/migrations.ts';
import operators from './migrations/0001_operators.sql' with { type: 'text' };
import keys from './migrations/0002_keys.sql' with { type: 'text' };
import receipts from './migrations/0003_receipts.sql' with { type: 'text' };
import gate from './migrations/0004_gate.sql' with { type: 'text' };
import log from './migrations/0005_log.sql' with { type: 'text' };
import witnesses from './migrations/0006_witnesses.sql' with { type: 'text' };
import agents from './migrations/0007_agents.sql' with { type: 'text' };
import evidence from './migrations/0008_evidence.sql' with { type: 'text' };
import reputation from './migrations/0009_reputation.sql' with { type: 'text' };
import webhooks from './migrations/0010_webhooks.sql' with { type: 'text' };
import idempotency from './migrations/0011_idempotency.sql' with { type: 'text' };
import cursors from './migrations/0012_cursors.sql' with { type: 'text' };
import quotas from './migrations/0013_quotas.sql' with { type: 'text' };
import authority from './migrations/0014_authority.sql' with { type: 'text' };

/** The trust service's database: 'CsTr' as application_id, and its migrations in order. */
export const trustSchema: Schema = {
  applicationId: 0x43735472,
  service: 'trust',
  salvage: 'export its receipts (countersign receipts export)',
  migrations: [
    { name: '0001_operators', sql: operators },
    { name: '0002_keys', sql: keys },
    { name: '0003_receipts', sql: receipts },
    { name: '0004_gate', sql: gate },
    { name: '0005_log', sql: log },
    { name: '0006_witnesses', sql: witnesses },
    { name: '0007_agents', sql: agents },
    { name: '0008_evidence', sql: evidence },
    { name: '0009_reputation', sql: reputation },
    { name: '0010_webhooks', sql: webhooks },
    { name: '0011_idempotency', sql: idempotency },
    { name: '0012_cursors', sql: cursors },
    { name: '0013_quotas', sql: quotas },
    { name: '0014_authority', sql: authority },
  ],
};
