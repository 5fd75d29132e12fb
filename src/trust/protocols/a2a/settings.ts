import { integer } from '../../../platform/config/setting.ts';

/** Settings for A2A. */
export const a2aSettings = {
  keepTasksDays: integer('a2a.keep_tasks_days', 1, 3650, {
    description: 'days after which an A2A task that did not change is deleted, unless its escrow is open',
    fallback: 30,
  }),
};
