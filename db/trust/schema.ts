import type { Schema } from '../../src/platform/store/migrations.ts';
import receipts from './migrations/0001_receipts.sql' with { type: 'text' };
import lists from './migrations/0002_lists.sql' with { type: 'text' };
import operators from './migrations/0003_operators.sql' with { type: 'text' };
import log from './migrations/0004_log.sql' with { type: 'text' };
import agents from './migrations/0005_agents.sql' with { type: 'text' };
import evidenceIndex from './migrations/0006_evidence_index.sql' with { type: 'text' };
import challenges from './migrations/0007_challenges.sql' with { type: 'text' };
import cursorKey from './migrations/0008_cursor_key.sql' with { type: 'text' };
import activations from './migrations/0009_receipts.sql' with { type: 'text' };
import quotas from './migrations/0010_quotas.sql' with { type: 'text' };
import sponsorship from './migrations/0011_sponsorship.sql' with { type: 'text' };
import authorityMark from './migrations/0012_authority_mark.sql' with { type: 'text' };

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
    { name: '0007_challenges', sql: challenges },
    { name: '0008_cursor_key', sql: cursorKey },
    { name: '0009_receipts', sql: activations },
    { name: '0010_quotas', sql: quotas },
    { name: '0011_sponsorship', sql: sponsorship },
    { name: '0012_authority_mark', sql: authorityMark },
  ],
};
