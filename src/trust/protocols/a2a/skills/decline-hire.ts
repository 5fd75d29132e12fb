import { strictObject } from '../../../../platform/http/schema.ts';
import { declineTaskIn } from '../../../hires/engagements/decline.ts';
import { taskId } from '../../../hires/engagements/schema.ts';
import { DEMO_ENGAGEMENTS } from '../../../http/example-ids.ts';
import { callerOf } from './caller.ts';
import { defineSkill } from './define-skill.ts';
import { hireView } from './hire-view.ts';
import { understander } from './plain-words.ts';

const EXAMPLE = { skill: 'decline_hire', task_id: DEMO_ENGAGEMENTS.declinable };

/**
 * Declines a hire, for its worker's side. The hire is a task of the hirer, so the decline is a task of the
 * worker's own, which refers to it.
 */
export const declineHireSkill = defineSkill({
  id: 'decline_hire',
  name: 'Decline a hire',
  description:
    "For the worker's side of a hire that is not delivered: the hirer has its credits back, and its task is rejected. Send data with the " +
    '`task_id` of the hire, or exactly `decline` with the hire in `referenceTaskIds`. Other text declines nothing. The same as ' +
    '`POST /api/v1/passport/engagements/{taskId}/decline`.',
  tags: ['engagements', 'escrow', 'credits'],
  examples: [JSON.stringify(EXAMPLE), 'Decline a hire'],
  input: strictObject({ task_id: taskId }),
  mustBeNamed: true,
  // A text can be a question about a hire, so it never says which one is declined.
  understand: understander('decline_hire', []),
  ask: () =>
    `Which hire? Send data with its task_id, such as ${JSON.stringify(EXAMPLE)}, or exactly "decline" with the hire in referenceTaskIds.`,
  async run(call, input) {
    return async (tx) => {
      const { state } = await declineTaskIn(tx, call.trust, callerOf(call), input.task_id);
      return { state: 'completed', ...hireView(state) };
    };
  },
});
