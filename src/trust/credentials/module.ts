import credentials from '../../../db/trust/migrations/0019_credentials.sql' with { type: 'text' };
import clusterCredentials from '../../../db/trust/migrations/0024_cluster_credentials.sql' with {
  type: 'text',
};
import type { ModuleEntry } from '../../platform/module.ts';
import { credentialsErrors } from './errors.ts';

/** Credentials: reputations as W3C Verifiable Credentials, and the lists of those that were revoked. */
export const credentialsModule = {
  name: 'credentials',
  tags: [
    {
      name: 'Credentials',
      description: 'Reputations as W3C Verifiable Credentials, which verifiers accept without this service.',
    },
  ],
  errors: credentialsErrors,
  migrations: [
    { name: '0019_credentials', sql: credentials },
    { name: '0024_cluster_credentials', sql: clusterCredentials, rebuild: true },
  ],
  server: () => import('./server.ts'),
  descriptions: () => import('./api.md', { with: { type: 'text' } }),
  examples: () => import('./examples.json'),
  audit: () => import('./audit.ts'),
} satisfies ModuleEntry;
