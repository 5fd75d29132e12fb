import { integer } from '../../platform/config/setting.ts';

/** Settings for enrollment. */
export const agentsSettings = {
  enrollments: integer('limits.enrollment', 1, 1_000_000, {
    description: 'enrollment requests per client address per minute',
    fallback: 30,
  }),
  powDifficulty: integer('agents.pow_difficulty', 0, 12, {
    description: 'proof of work of an agent that enrolls itself: leading zero hexadecimal digits',
    fallback: 5,
  }),
};
