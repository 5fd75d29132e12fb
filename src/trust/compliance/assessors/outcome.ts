import { namesEvidence } from '../packages/confirmations.ts';
import type { Assessment } from './payload.ts';

/**
 * Returns what an assessment says of the agent as a whole: a failure if a control failed, a success if one
 * passed with evidence, else null. A pass that names no evidence confirms nothing.
 */
export function outcomeOf({ controls }: Pick<Assessment, 'controls'>): 'success' | 'failure' | null {
  if (controls.some(({ status }) => status === 'fail')) return 'failure';
  const passes = controls.some(({ status, evidence }) => status === 'pass' && namesEvidence(evidence));
  return passes ? 'success' : null;
}
