import assessments from '../../../../db/trust/migrations/0041_assessments.sql' with { type: 'text' };
import type { ModuleEntry } from '../../../platform/module.ts';
import { assessorsSettings } from './settings.ts';

/** Assessments: what enrolled agents sign about the controls of others. */
export const assessorsModule = {
  name: 'assessors',
  settings: Object.values(assessorsSettings),
  migrations: [{ name: '0041_assessments', sql: assessments }],
  server: () => import('./server.ts'),
  descriptions: () => import('./api.md', { with: { type: 'text' } }),
  examples: () => import('./examples.json'),
  audit: () => import('./audit.ts'),
} satisfies ModuleEntry;
