import type { Skill } from '../skill.ts';

/** The skills of the service, in the order of the agent card. */
export const skills: readonly Skill[] = [];
