import { integer } from '../../platform/config/setting.ts';

/** Settings for telemetry of data centers. */
export const datacenterSettings = {
  freeClusters: integer('quotas.free.clusters', 0, Number.MAX_SAFE_INTEGER, {
    description: 'clusters of each self-provisioned operator',
    fallback: 10,
  }),
};
