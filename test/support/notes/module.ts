import type { TrustModule } from '../../../src/trust/service/module.ts';
import { notesErrors } from './errors.ts';
import { notesEvents } from './events.ts';
import { notesSettings } from './settings.ts';
import { notesTable } from './table.ts';

/**
 * A complete capability that is not part of the product: notes of an operator. It shows the parts of a
 * capability, and that one line registers it.
 */
export const notesModule = {
  name: 'notes',
  tags: [{ name: 'Notes', description: 'What operators want to remember.' }],
  errors: notesErrors,
  settings: Object.values(notesSettings),
  migrations: [{ name: '9001_notes', sql: notesTable }],
  events: notesEvents,
  server: () => import('./server.ts'),
  descriptions: () => import('./api.md', { with: { type: 'text' } }),
  audit: () => import('./audit.ts'),
} satisfies TrustModule;
