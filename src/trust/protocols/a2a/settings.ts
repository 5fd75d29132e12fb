import { integer } from '../../../platform/config/setting.ts';

/** Settings for A2A. */
export const a2aSettings = {
  keepTasksDays: integer('a2a.keep_tasks_days', 1, 3650, {
    description: 'days after which an A2A task that did not change is deleted, unless its escrow is open',
    fallback: 30,
  }),
  streams: integer('a2a.streams', 1, 100_000, {
    description:
      'the most streams of A2A at once; callers without a key and FREE operators together have half of them',
    fallback: 10_000,
  }),
  streamsPerCaller: integer('a2a.streams_per_caller', 10, 100_000, {
    description: 'the most streams of A2A of an operator at once; an address without a key has a tenth',
    fallback: 1000,
  }),
};
