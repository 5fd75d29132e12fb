import type { Figure } from '../../platform/metrics.ts';
import { registryStanding } from '../clinicians/service.ts';
import type { Staffing } from '../context.ts';

/** Which registry is served, for those who watch the service. */
export function registryMetric(staffing: Staffing): Figure {
  return {
    name: 'countersign_registry_records',
    help: 'Clinicians in the registry that is served.',
    labels: ['as_of', 'sample'],
    read: async () => {
      const { as_of, records, sample } = await registryStanding(staffing);
      return [{ labels: { as_of, sample: String(sample) }, value: records }];
    },
  };
}
