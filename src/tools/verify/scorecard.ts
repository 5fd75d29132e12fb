import { printable } from '../../platform/terminal/output.ts';
import { judgeScorecard, SCORECARD_VERDICTS } from '../../proof/package/scorecard.ts';
import { judgeByBoth } from './both-implementations.ts';
import type { VerifierContext } from './verifier-context.ts';

/** Verifies the scorecard of a cluster and writes the result. @returns whether it is valid @throws Failure */
export async function verifyScorecard(
  document: Uint8Array,
  { trusted, now }: VerifierContext,
): Promise<boolean> {
  const result = await judgeByBoth('scorecard', (primitives) =>
    judgeScorecard(primitives, document, { keys: trusted.keys, now }),
  );
  process.stdout.write(`${printable(JSON.stringify(result, null, 2))}\n`);
  process.stderr.write(`${result.verdict}: ${SCORECARD_VERDICTS[result.verdict]}\n`);
  for (const problem of result.problems)
    process.stderr.write(`  ${printable(problem).replaceAll('\n', '\\n')}\n`);
  if (result.scorecard !== null) {
    const { cluster_id, period } = result.scorecard;
    process.stderr.write(`  metrics of cluster ${cluster_id}, ${period.from} to ${period.to}\n`);
  }
  return result.verdict === 'valid';
}
