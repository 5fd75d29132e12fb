import type { ApiError } from '../../../../platform/http/errors/errors.ts';
import type { Outcome, Skill } from '../skill.ts';
import type { TaskRow } from '../store.ts';
import { questionOf } from './parsed-message.ts';

/**
 * Returns the outcome of a task for the error of a skill: it asks for another input, or is rejected. A task
 * with escrow stays as it is.
 * @throws the error if it says nothing about the input: the key, the quota or the service
 */
export function outcomeOfError(error: ApiError, skill: Skill | null, known: TaskRow | null): Outcome {
  const { code, message, details } = error;
  const { status } = error.definition;
  if (status >= 500 || status === 401 || status === 429 || code === 'quota_exceeded') throw error;
  const question =
    skill !== null && code === 'validation_error' ? questionOf(skill, details.issues ?? {}) : null;
  const data = {
    reason_code: code,
    ...(details.issues === undefined ? {} : { issues: { ...details.issues } }),
  };
  if (known !== null && known.escrowSeq !== null && known.state !== 'submitted') {
    return { state: known.state, text: textOf(error), data, missing: ['action'] };
  }
  const asks = status === 404 || code === 'validation_error' || code === 'agent_not_enrolled';
  return {
    state: asks ? 'input-required' : 'rejected',
    text: question?.text ?? message,
    data,
    missing: question?.missing ?? [],
  };
}

/** Returns what a client is told whose message a task with escrow does not take. */
function textOf({ code, message, details: { issues = {} } }: ApiError): string {
  if (code !== 'validation_error') return message;
  const problems = Object.entries(issues).map(([member, said]) => `${member} ${said.join(', ')}`);
  return `Nothing changed: ${problems.join('; ')}. To begin another task, send the message in another context.`;
}
