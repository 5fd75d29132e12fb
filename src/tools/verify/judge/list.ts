import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import { Failure } from '../../../platform/failure.ts';
import { describeCosignatures, isMet } from '../../../proof/log/quorum.ts';
import { checkRevocations, REVOCATION_CHECKS, type Revocations } from '../../../proof/receipt/revocations.ts';
import type { VerdictOptions } from '../../../proof/receipt/verdict.ts';
import { witnessed } from '../../../proof/receipt/witnessed.ts';
import type { Report } from '../../../proof/verifier/judge/chunk.ts';
import { lineOptions } from '../../../proof/verifier/judge/line-options.ts';
import { receiptOptions } from '../../../proof/verifier/judge/receipt.ts';
import { describeTree } from '../../../proof/verifier/judge/sentences.ts';
import { Tally } from '../../../proof/verifier/judge/tally.ts';
import type { Step } from '../../../proof/verifier/values/judgement.ts';
import { describeSigner } from '../../../proof/words/signer.ts';
import { markTest } from '../../../proof/words/test-service.ts';
import type { ListInputs } from '../values/inputs.ts';
import { verifierPool } from './pool.ts';

/**
 * Judges a list of receipts or bundles on all cores, with a few chunks in memory. The list is valid if there
 * is at least one receipt, and all are valid and of the requested domain. Yields the problems in the order of
 * the input.
 * @throws Failure for a log of revocations that does not count, and when a Worker fails
 */
export async function* judgeList({ list, isOfBundles, context }: ListInputs): AsyncGenerator<Step> {
  const { policy } = context;
  const { revocations, notes } = witnessedList(receiptOptions(context));
  for (const note of notes) yield { note };
  if (revocations?.tree !== undefined) yield { note: `log: ${describeTree(revocations.tree)}` };
  const verdict = {
    ...lineOptions(context, isOfBundles),
    revocations: revocations && withoutCheckpoint(revocations),
  };
  if (revocations !== undefined) requireCurrent(revocations, verdict);
  const pool = verifierPool<Report>({ task: 'judge', verdict });
  const tally = new Tally(policy !== undefined && policy.policy.quorum !== null);
  try {
    for await (const report of pool.results(list.chunks, ({ buffer }) => [buffer]))
      yield { problems: tally.add(report), receipts: tally.checked, share: list.share() };
  } finally {
    pool.end();
  }
  const found = tally.summary();
  const summary = markTest(found, [context.keyLog, ...found.trees.map(({ log }) => log)]);
  const isValid = summary.checked > 0 && summary.valid === summary.checked;
  // The log of revocations was described before all else.
  const others = found.trees.filter(({ log }) => log !== revocations?.tree?.log);
  const facts = [...found.signers.map(describeSigner), ...others.map((tree) => `log: ${describeTree(tree)}`)];
  yield {
    conclusion: { isValid, summary, sentences: [summary.sentence, ...facts.map((fact) => `  ${fact}`)] },
  };
}

/** Returns revocations whose checkpoint was checked, once for all receipts. */
function withoutCheckpoint({ checkpoint: _, ...revocations }: Revocations): Revocations {
  return revocations;
}

/**
 * Checks the cosignatures of the revocations log, once for all receipts.
 * @throws Failure without the quorum
 */
function witnessedList({ policy, now, clock = now, revocations }: VerdictOptions): {
  revocations: Revocations | undefined;
  notes: string[];
} {
  const result = witnessed(nativePrimitives, policy, Math.max(now, clock), {
    checkpoint: undefined,
    inclusion: undefined,
    revocations,
  });
  const notes = (result.cosignatures ?? []).map((cosignatures) => {
    const sentence = `quorum: ${describeCosignatures(cosignatures)}`;
    if (!isMet(cosignatures.check)) throw new Failure(sentence, 'get a copy that the witnesses cosigned');
    return sentence;
  });
  return { revocations: result.revocations, notes };
}

/**
 * Checks the age of the log once for all receipts.
 * @throws Failure for a log that is too old, or not the one that is meant
 */
function requireCurrent(revocations: Revocations, { now, clock }: VerdictOptions): void {
  // No receipt has an empty id.
  const check = checkRevocations(revocations, '', now, clock);
  if (check === 'ok') return;
  if (check === 'predecessor')
    throw new Failure(
      `revocations: ${revocations.unread?.join('; ')}: revocations that only that log has are not seen`,
      'add --predecessor with a copy of the closed log, such as a monitor keeps',
    );
  throw new Failure(
    `revocations: ${REVOCATION_CHECKS[check]}`,
    revocations.other === undefined
      ? 'get a newer copy that is signed with a time (ML-DSA-44), or check the clocks'
      : 'get a copy of the log of revocations that is meant',
  );
}
