import receipts from '../../../db/trust/migrations/0003_receipts.sql' with { type: 'text' };
import serviceReceipts from '../../../db/trust/migrations/0018_service_receipts.sql' with { type: 'text' };
import issuingKeys from '../../../db/trust/migrations/0034_issuing_keys.sql' with { type: 'text' };
import type { LoggingModule } from '../log/contents.ts';
import { receiptsErrors } from './errors.ts';
import { receiptsEvents } from './events.ts';
import { receiptsSettings } from './settings.ts';

/** Receipts: signed records of what agents did. */
export const receiptsModule = {
  name: 'receipts',
  events: receiptsEvents,
  tags: [
    {
      name: 'Receipts',
      description: 'Issue, finalize, revoke and read receipts.',
    },
  ],
  errors: receiptsErrors,
  settings: Object.values(receiptsSettings),
  migrations: [
    { name: '0003_receipts', sql: receipts },
    { name: '0018_service_receipts', sql: serviceReceipts },
    { name: '0034_issuing_keys', sql: issuingKeys },
  ],
  server: () => import('./server.ts'),
  descriptions: () => import('./api.md', { with: { type: 'text' } }),
  examples: () => import('./examples.json'),
  logContents: () => import('./log-contents.ts'),
  audit: () => import('./audit.ts'),
} satisfies LoggingModule;
