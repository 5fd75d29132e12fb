import type { Metric } from '../../platform/monitoring/metrics.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { RegistryHandle } from '../registry/handle.ts';
import type { Importer } from './importer.ts';

/** The services that the metrics of imports use. */
export interface ImportMetricServices {
  importer: Importer;
  registry: RegistryHandle;
  clock: Clock;
}

/** Returns the metrics of the registry's age and of imports. */
export function importMetrics({ importer, registry, clock }: ImportMetricServices): Metric[] {
  return [
    {
      name: 'countersign_registry_age_seconds',
      help: 'Time since the date of the registry that is served.',
      labels: [],
      read: async () => {
        const { as_of: asOf } = await registry.info();
        return [{ labels: {}, value: Math.max(0, (clock.now() - Date.parse(asOf)) / 1000) }];
      },
    },
    {
      name: 'countersign_registry_import_running',
      help: '1 while an import runs, otherwise 0.',
      labels: [],
      read: async () => [{ labels: {}, value: importer.status?.isRunning === true ? 1 : 0 }],
    },
    {
      name: 'countersign_registry_imports_total',
      help: 'Imports that ended since the start of the process.',
      labels: ['kind', 'outcome'],
      read: async () =>
        importer.ended.map(({ kind, outcome, count }) => ({ labels: { kind, outcome }, value: count })),
    },
  ];
}
