import { join } from 'node:path';
import type { ServerPart } from '../../platform/module.ts';
import { emptyLogOf } from './amend/change-registry.ts';
import type { RegistryLock } from './changes-lock.ts';
import { currentRegistry } from './current.ts';
import type { RegistryHandle } from './handle.ts';
import { registryMetric } from './metric.ts';

export const server = {
  metrics: ({ staffing: { registry } }: { staffing: { registry: RegistryHandle } }) => [
    registryMetric(registry),
  ],
  tasks: ({
    staffing: { registryPath, registryLock },
  }: {
    staffing: { registryPath: string; registryLock: RegistryLock };
  }) => [
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
} satisfies ServerPart<never, never, never>;
