import type { Figure } from '../../platform/monitoring/metrics.ts';
import type { RegistryHolder } from './holder.ts';

/** Which registry is served, for those who watch the service. */
export function registryMetric(registry: RegistryHolder): Figure {
  return {
    name: 'countersign_registry_records',
    help: 'Clinicians in the registry that is served.',
    labels: ['as_of', 'sample'],
    read: async () => {
      const { as_of, records, sample } = await registry.standing();
      return [{ labels: { as_of, sample: String(sample) }, value: records }];
    },
  };
}
