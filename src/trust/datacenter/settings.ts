import type { Config } from '../../platform/config/setting.ts';
import { integer } from '../../platform/config/setting.ts';

/** Settings for telemetry of data centers. */
export const datacenterSettings = {
  freeClusters: integer('quotas.free.clusters', 0, Number.MAX_SAFE_INTEGER, {
    description: 'clusters of each self-provisioned operator',
    fallback: 10,
  }),
};

/** The settings of data centers in the units of the code. */
export interface DatacenterPolicy {
  /** Most clusters of a self-provisioned operator. */
  freeClusters: number;
}

/** Returns the policy of data centers from the settings. */
export const datacenterPolicy = (config: Config): DatacenterPolicy => ({
  freeClusters: datacenterSettings.freeClusters.in(config),
});
