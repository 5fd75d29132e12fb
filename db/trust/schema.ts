import type { Schema } from '../../src/platform/store/migrations.ts';
import receipts from './migrations/0001_receipts.sql' with { type: 'text' };
import lists from './migrations/0002_lists.sql' with { type: 'text' };
import operators from './migrations/0003_operators.sql' with { type: 'text' };
import log from './migrations/0004_log.sql' with { type: 'text' };
import agents from './migrations/0005_agents.sql' with { type: 'text' };
import evidenceIndex from './migrations/0006_evidence_index.sql' with { type: 'text' };

/** The trust service's database: 'CsTr' as application_id, and its migrations in order. */
export const trustSchema: Schema = {
  applicationId: 0x43735472,
  service: 'trust',
  migrations: [
    { name: '0001_receipts', sql: receipts },
    { name: '0002_lists', sql: lists },
    { name: '0003_operators', sql: operators },
    { name: '0004_log', sql: log },
    { name: '0005_agents', sql: agents },
    { name: '0006_evidence_index', sql: evidenceIndex },
  ],
};
