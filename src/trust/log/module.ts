import log from '../../../db/trust/migrations/0005_log.sql' with { type: 'text' };
import witnesses from '../../../db/trust/migrations/0006_witnesses.sql' with { type: 'text' };
import type { ModuleEntry } from '../../platform/module.ts';
import { logSettings } from './settings.ts';

/** A module that fills logs, by `LogContent`. */
export interface LoggingModule extends ModuleEntry {
  logContents(): Promise<object>;
}

/** The transparency log. */
export const logModule = {
  name: 'log',
  tags: [
    {
      name: 'Transparency log',
      description:
        'What proves that nothing was added, changed or left out later: checkpoints, proofs, and the log itself.',
    },
  ],
  settings: Object.values(logSettings),
  migrations: [
    { name: '0005_log', sql: log },
    { name: '0006_witnesses', sql: witnesses },
  ],
  commands: () => import('./commands.ts'),
  server: () => import('./server.ts'),
  examples: () => import('./examples.ts'),
  audit: () => import('./audit.ts'),
} satisfies ModuleEntry;
