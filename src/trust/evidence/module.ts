import evidence from '../../../db/trust/migrations/0007_evidence.sql' with { type: 'text' };
import evidenceByEvent from '../../../db/trust/migrations/0039_evidence_by_event.sql' with { type: 'text' };
import type { LoggingModule } from '../log/contents.ts';
import { evidenceEvents } from './events.ts';

/** Evidence: what agents signed about their work. */
export const evidenceModule = {
  name: 'evidence',
  tags: [
    {
      name: 'Evidence',
      description: 'Signed evidence about the work of agents, in a hash chain for each agent.',
    },
  ],
  migrations: [
    { name: '0007_evidence', sql: evidence },
    { name: '0039_evidence_by_event', sql: evidenceByEvent },
  ],
  events: evidenceEvents,
  server: () => import('./server.ts'),
  descriptions: () => import('./api.md', { with: { type: 'text' } }),
  examples: () => import('./examples.json'),
  logContents: () => import('./log-contents.ts'),
  audit: () => import('./audit.ts'),
} satisfies LoggingModule;
