import witness from '../../../db/witness/migrations/0001_witness.sql' with { type: 'text' };
import type { ModuleEntry } from '../../platform/module.ts';
import { identitySettings } from './settings.ts';

/** Who the witness is: its name and its keys. */
export const identityModule = {
  name: 'identity',
  settings: Object.values(identitySettings),
  // It makes the tables of all capabilities of the witness.
  migrations: [{ name: '0001_witness', sql: witness }],
} satisfies ModuleEntry;
