import a2a from '../../../db/trust/migrations/0021_a2a.sql' with { type: 'text' };
import type { ModuleEntry } from '../../platform/module.ts';

/** A2A: other agents' software talks to the service as an agent, in tasks. */
export const a2aModule = {
  name: 'a2a',
  migrations: [{ name: '0021_a2a', sql: a2a }],
} satisfies ModuleEntry;
