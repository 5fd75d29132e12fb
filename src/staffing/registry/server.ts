import { join } from 'node:path';
import type { StaffingServer } from '../module.ts';
import { emptyLogOf } from './amend/change-registry.ts';
import { currentRegistry } from './current.ts';
import { registryMetric } from './metric.ts';

export const server: StaffingServer = {
  metrics: ({ staffing: { registry } }) => [registryMetric(registry)],
  tasks: ({ staffing: { registryPath, registryLock } }) => [
    {
      name: 'empty the log of the registry',
      everyMs: 60_000,
      waitsForClock: false,
      run: () =>
        registryLock.run(() => {
          const name = currentRegistry(registryPath);
          if (name !== null) emptyLogOf(join(registryPath, name));
        }),
    },
  ],
};
