import type { TrustModule } from '../../../src/trust/module.ts';
import { notesErrors } from './errors.ts';
import { notesEvents } from './events.ts';
import { notesSettings } from './settings.ts';
import { notesTable } from './table.ts';

/** A complete capability that the product does not have: notes of an operator. It shows what one takes, and that one line registers it. */
export const notesModule = {
  name: 'notes',
  tags: [{ name: 'Notes', description: 'What operators want to remember.' }],
  errors: notesErrors,
  settings: Object.values(notesSettings),
  migrations: [{ name: '9001_notes', sql: notesTable }],
  events: notesEvents,
  commands: () => import('./commands.ts'),
  server: () => import('./server.ts'),
  audit: () => import('./audit.ts'),
} satisfies TrustModule;
