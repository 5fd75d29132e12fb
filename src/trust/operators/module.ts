import operators from '../../../db/trust/migrations/0002_operators.sql' with { type: 'text' };
import authority from '../../../db/trust/migrations/0013_authority.sql' with { type: 'text' };
import firstMark from '../../../db/trust/migrations/0074_first_mark.sql' with { type: 'text' };
import sessions from '../../../db/trust/restored/sessions.sql' with { type: 'text' };
import type { ModuleEntry } from '../../platform/module.ts';
import { operatorsErrors } from './errors.ts';
import { operatorsSettings } from './settings.ts';

/** Operators, their keys and sessions. */
export const operatorsModule = {
  name: 'operators',
  tags: [
    {
      name: 'Operator',
      description: 'Your operator, its API keys and sessions.',
    },
  ],
  errors: operatorsErrors,
  settings: Object.values(operatorsSettings),
  migrations: [
    { name: '0002_operators', sql: operators },
    { name: '0013_authority', sql: authority },
    { name: '0074_first_mark', sql: firstMark },
  ],
  afterRestore: {
    sql: sessions,
    report: (rows) => `${rows === 1 ? '1 session was' : `${rows} sessions were`} ended: people log in again`,
  },
  server: () => import('./server.ts'),
  descriptions: () => import('./api.md', { with: { type: 'text' } }),
  examples: () => import('./examples.json'),
  audit: () => import('./audit.ts'),
} satisfies ModuleEntry;
