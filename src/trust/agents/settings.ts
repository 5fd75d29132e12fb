import { integer } from '../../platform/config/setting.ts';

/** The settings of enrollment. */
export const agentsSettings = {
  enrollments: integer('limits.enrollment', 1, 1_000_000, {
    description: 'steps of enrollment, with or without a sponsor, of one client address a minute',
    fallback: 30,
  }),
  powDifficulty: integer('agents.pow_difficulty', 0, 12, {
    description: 'leading zero hexadecimal digits that an agent which enrolls itself has to find',
    fallback: 5,
  }),
};
