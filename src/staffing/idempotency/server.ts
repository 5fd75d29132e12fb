import { deleteOldResponses } from '../../platform/http/idempotency/service.ts';
import type { StaffingServer } from '../module.ts';

export const server: StaffingServer = {
  tasks: ({ staffing: { store, clock } }) => [
    {
      name: 'forget old answers',
      everyMs: 600_000,
      waitsForClock: true,
      run: () => deleteOldResponses(store, clock),
    },
  ],
};
