import type { CopyComparison } from '../../../proof/verifier/values/context.ts';
import type { Judge } from '../../../proof/verifier/values/judgement.ts';
import { groupDigits } from '../../../proof/words/group-digits.ts';

/** From worst to best. */
const CHECKS = ['forked', 'lost', 'beyond', 'ok'] as const;

/**
 * Returns a judge that also says how the checkpoints of a document compare with a copy of the log. A document
 * is as asked only if all are in the copy.
 */
export function withCopy(judge: Judge, compared: readonly CopyComparison[]): Judge {
  return (primitives, document, context) => {
    const judgement = judge(primitives, document, context);
    const { isValid, result, facts } = judgement;
    const copy = CHECKS.find((check) => compared.some((one) => one.check === check)) ?? 'unchecked';
    const problems = compared.filter(({ check }) => check !== 'ok').map(problemOf);
    return {
      ...judgement,
      isValid: isValid && copy === 'ok',
      result: {
        ...result,
        checks: { ...result.checks, copy },
        problems: [...result.problems, ...problems],
        copy: compared,
      },
      facts: [...facts, ...compared.map(describe)],
    };
  };
}

function problemOf({ check, log, tree_size, copy_size, continued_as }: CopyComparison): string {
  if (check === 'lost')
    return `copy: ${continued_as}, which continues ${log}, does not have all ${groupDigits(tree_size)} entries of the checkpoint: they are lost, or were left out`;
  if (check === 'forked' && continued_as !== undefined)
    return `copy: ${continued_as} and its log of keys contradict the checkpoint of ${log}, which it continues: the log has forked`;
  return check === 'forked'
    ? `copy: the first ${groupDigits(tree_size)} entries of ${log} in the copy have another root: the log has forked`
    : `copy: the copy of ${log} has ${groupDigits(copy_size)} entries, and the checkpoint ${groupDigits(tree_size)}: countersign monitor --once reads the new ones`;
}

function describe({ check, log, copy_size, continued_as }: CopyComparison): string {
  const as = continued_as === undefined ? '' : `, continued as ${continued_as}`;
  return `copy: ${log}${as}, ${groupDigits(copy_size)} entries: ${check}`;
}
