import witness from '../../../db/witness/migrations/0001_witness.sql' with { type: 'text' };
import type { ModuleEntry } from '../../platform/module.ts';
import { identitySettings } from './settings.ts';

/** The identity of the witness: its name and its keys. */
export const identityModule = {
  name: 'identity',
  settings: Object.values(identitySettings),
  // This migration creates the tables of all modules of the witness.
  migrations: [{ name: '0001_witness', sql: witness }],
} satisfies ModuleEntry;
