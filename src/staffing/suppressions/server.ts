import type { ServerPart } from '../../platform/module.ts';
import { retrySuppressions } from './apply-again.ts';
import type { Suppressions } from './services.ts';

export const server = {
  tasks: ({ staffing }: { staffing: Suppressions }) => [
    {
      name: 'apply suppressions',
      everyMs: 30_000,
      waitsForClock: false,
      run: () => retrySuppressions(staffing),
    },
  ],
} satisfies ServerPart<never, never, never>;
