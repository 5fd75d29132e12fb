import type { Config } from '../../platform/config/setting.ts';
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

/** The settings of agents in the units of the code. */
export interface AgentsPolicy {
  /** Difficulty of the proof of work of agents that enroll themselves, in leading zero hexadecimal digits. */
  powDifficulty: number;
}

/** Returns the policy of agents from the settings. */
export const agentsPolicy = (config: Config): AgentsPolicy => ({
  powDifficulty: agentsSettings.powDifficulty.in(config),
});
