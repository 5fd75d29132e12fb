import agents from '../../../db/trust/migrations/0006_agents.sql' with { type: 'text' };
import sponsors from '../../../db/trust/migrations/0054_sponsors.sql' with { type: 'text' };
import challenges from '../../../db/trust/restored/challenges.sql' with { type: 'text' };
import type { ModuleEntry } from '../../platform/module.ts';
import { agentsErrors } from './errors.ts';
import { agentsEvents } from './events.ts';
import { agentsSettings } from './settings.ts';

/** Agents: enrollment, passports, sponsors. */
export const agentsModule = {
  name: 'agents',
  tags: [
    {
      name: 'Agents',
      description: 'Enroll agents by proof of key possession; their passports and their sponsors.',
    },
  ],
  errors: agentsErrors,
  settings: Object.values(agentsSettings),
  migrations: [
    { name: '0006_agents', sql: agents },
    { name: '0054_sponsors', sql: sponsors },
  ],
  afterRestore: {
    sql: challenges,
    report: (rows) =>
      `${rows === 1 ? '1 open challenge was' : `${rows} open challenges were`} ended: agents that enroll begin again`,
  },
  events: agentsEvents,
  server: () => import('./server.ts'),
  descriptions: () => import('./api.md', { with: { type: 'text' } }),
  examples: () => import('./examples.json'),
  audit: () => import('./audit.ts'),
} satisfies ModuleEntry;
