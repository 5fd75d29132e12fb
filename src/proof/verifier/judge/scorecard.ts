import { judgeScorecard } from '../../package/scorecard.ts';
import type { Judge } from '../values/judgement.ts';

/** Judges the scorecard of a cluster. */
export const judgeScorecardDocument: Judge = (primitives, document, context) => {
  const result = judgeScorecard(primitives, document, context);
  const { verdict, scorecard } = result;
  return {
    isValid: verdict === 'valid',
    result,
    kind: 'scorecard',
    facts:
      scorecard === null
        ? []
        : [`metrics of cluster ${scorecard.cluster_id}, ${scorecard.period.from} to ${scorecard.period.to}`],
  };
};
