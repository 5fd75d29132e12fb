import { integer } from '../../platform/config/setting.ts';
import { SAMPLE } from './sample/extent.ts';

/** The settings of the registry. */
export const registrySettings = {
  sample: integer('sample', 1, SAMPLE.clinicians, {
    description: 'made-up clinicians in the registry that a first start writes',
    fallback: SAMPLE.clinicians,
  }),
};
