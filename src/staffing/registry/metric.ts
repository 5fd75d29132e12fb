import type { Metric } from '../../platform/monitoring/metrics.ts';
import type { RegistryHandle } from './handle.ts';

/** Returns the metric of the served registry. */
export function registryMetric(registry: RegistryHandle): Metric {
  return {
    name: 'countersign_registry_records',
    help: 'Clinicians in the registry that is served.',
    labels: ['as_of', 'sample'],
    read: async () => {
      const { as_of, records, sample } = await registry.info();
      return [{ labels: { as_of, sample: String(sample) }, value: records }];
    },
  };
}
