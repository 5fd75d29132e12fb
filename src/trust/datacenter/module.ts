import datacenter from '../../../db/trust/migrations/0023_datacenter.sql' with { type: 'text' };
import otlp from '../../../db/trust/migrations/0025_otlp.sql' with { type: 'text' };
import energy from '../../../db/trust/migrations/0042_energy.sql' with { type: 'text' };
import correctedBodies from '../../../db/trust/migrations/0045_corrected_bodies.sql' with { type: 'text' };
import plant from '../../../db/trust/migrations/0055_plant.sql' with { type: 'text' };
import type { PackagingModule } from '../compliance/packages/module.ts';
import { datacenterSettings } from './settings.ts';

/** Data centers: telemetry of clusters, each item with a receipt of the service, and sums of it by day. */
export const datacenterModule = {
  name: 'datacenter',
  tags: [
    {
      name: 'Data centers',
      description:
        'Energy, water and temperatures of clusters: measured, declared and simulated values, never mixed.',
    },
  ],
  migrations: [
    { name: '0023_datacenter', sql: datacenter },
    { name: '0025_otlp', sql: otlp },
    { name: '0042_energy', sql: energy },
    { name: '0045_corrected_bodies', sql: correctedBodies },
    { name: '0055_plant', sql: plant },
  ],
  settings: Object.values(datacenterSettings),
  audit: () => import('./audit.ts'),
  server: () => import('./server.ts'),
  descriptions: () => import('./api.md', { with: { type: 'text' } }),
  packageBuilders: () => import('./builders.ts'),
  examples: () => import('./examples.json'),
} satisfies PackagingModule;
