import type { StaffingServer } from '../module.ts';
import { retrySuppressions } from './service.ts';

export const server: StaffingServer = {
  tasks: ({ staffing }) => [
    {
      name: 'apply suppressions',
      everyMs: 30_000,
      waitsForClock: false,
      run: () => retrySuppressions(staffing),
    },
  ],
};
