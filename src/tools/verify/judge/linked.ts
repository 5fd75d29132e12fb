import { checkLinked, LINKED_CHECKS, type LinkedCheck } from '../../../proof/account/account-proof.ts';
import { isLogVerdict, type SignedTree } from '../../../proof/log/log-keys.ts';
import type { LogProof } from '../../../proof/log/log-proof.ts';
import { checkQuorum, describeCosignatures, isMet } from '../../../proof/log/quorum.ts';
import type { Primitives } from '../../../proof/primitives.ts';
import {
  describeVerdict,
  isAsAsked,
  judgeBytes,
  type VerdictOptions,
} from '../../../proof/receipt/verdict.ts';
import type { WitnessPolicy } from '../../../proof/receipt/witnessed.ts';
import type { LinkedProofs } from '../values/context.ts';
import type { Judge } from '../values/judgement.ts';
import { describeTree } from './sentences.ts';

/**
 * Returns what judges a receipt, and that the log of accounts has a leaf for each act on it, by the proofs in
 * its public manifest.
 */
export function linkedJudge({ receipt, leaves, inclusion }: LinkedProofs): Judge {
  return (primitives, document, { keys, logKeys, policy, now }) => {
    // A pending receipt has no proof of its own, so the policy is only about its leaves.
    const options: VerdictOptions = {
      keys,
      now,
      ...(inclusion !== null && { policy, proof: { proof: inclusion, keys: logKeys } }),
    };
    const verdict = judgeBytes(primitives, document, options);
    const accounts: SignedTree[] = [];
    const linked = checkLinked(primitives, receipt, leaves, logKeys, (tree) => {
      if (!accounts.some((known) => Bun.deepEquals(known, tree))) accounts.push(tree);
    });
    const isTrusted = linked.check !== 'bad' && !isLogVerdict(linked.check);
    const quorum = isTrusted ? missingQuorum(primitives, leaves, policy, now) : null;
    const check: LinkedCheck = quorum === null ? linked.check : 'bad';
    const problem = quorum ?? linked.problem;
    const result = {
      ...verdict,
      checks: { ...verdict.checks, linked: check },
      problems: [...verdict.problems, ...(problem === null ? [] : [`linked: ${problem}`])],
      trees: { ...verdict.trees, accounts },
    };
    const isValid = isAsAsked(result) && check === 'ok';
    return {
      isValid,
      result,
      sentence:
        isValid || result.verdict !== 'valid'
          ? `${result.verdict}: ${describeVerdict(result)}`
          : `not proven: The receipt itself is valid; ${LINKED_CHECKS[check]}.`,
      facts: [...Object.values(verdict.trees ?? {}), ...accounts]
        .filter((tree) => tree !== null)
        .map((tree) => `log: ${describeTree(tree)}`),
    };
  };
}

/** Returns why the quorum did not cosign the checkpoint of a leaf; null if it did, or without a policy. */
function missingQuorum(
  primitives: Primitives,
  leaves: readonly LogProof[],
  policy: WitnessPolicy | undefined,
  now: number,
): string | null {
  if (policy === undefined) return null;
  const logKeys = policy.logKeys.map(({ publicKey }) => publicKey);
  for (const { checkpoint } of leaves) {
    const cosignatures = checkQuorum(primitives, Buffer.from(checkpoint), policy.policy, { now, logKeys });
    if (!isMet(cosignatures.check)) return `quorum: ${describeCosignatures(cosignatures)}`;
  }
  return null;
}
