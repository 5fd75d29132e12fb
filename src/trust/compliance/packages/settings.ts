import { integer } from '../../../platform/config/setting.ts';

/** Settings for packages. */
export const packagesSettings = {
  builds: integer('limits.packages', 1, 1_000_000, {
    description: 'compliance packages that are built per client address per minute; cached ones do not count',
    fallback: 10,
  }),
};
