import { judgeLinked, readAccountLeaves } from '../../account/account-proof.ts';
import { readLogProof } from '../../log/log-proof.ts';
import type { Primitives } from '../../primitives.ts';
import type { Receipt } from '../../receipt/receipt.ts';
import { isAsAsked, judgeBytes, type VerdictOptions } from '../../receipt/verdict.ts';
import type { LinkedProofs } from '../values/context.ts';
import type { Judge } from '../values/judgement.ts';

/**
 * Reads the proofs in the public manifest of a receipt. A pending receipt is in no log of receipts.
 * @throws LogProofError
 */
export function linkedProofsIn(primitives: Primitives, manifest: Uint8Array, receipt: Receipt): LinkedProofs {
  const leaves = readAccountLeaves(primitives, manifest);
  const inclusion = receipt.status === 'pending' ? null : readLogProof(primitives, manifest);
  return { receipt, leaves, inclusion };
}

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
    const { check, problem, trees } = judgeLinked(primitives, receipt, leaves, { logKeys, policy, now });
    const result = {
      ...verdict,
      checks: { ...verdict.checks, linked: check },
      problems: [...verdict.problems, ...(problem === null ? [] : [`linked: ${problem}`])],
      trees: [...verdict.trees, ...trees],
    };
    return { isValid: isAsAsked(result) && check === 'ok', result, kind: 'receipt', facts: [] };
  };
}
