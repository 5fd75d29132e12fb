import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import { Failure } from '../../platform/failure.ts';
import { bytesOf, gathered } from '../../platform/files/read.ts';
import { printable } from '../../platform/terminal/output.ts';
import {
  checkLinked,
  LINKED_CHECKS,
  type LinkedCheck,
  readAccountLeaves,
} from '../../proof/account/account-proof.ts';
import { parseJsonBytes } from '../../proof/encoding/json.ts';
import type { LogKey, SignedTree } from '../../proof/log/log-keys.ts';
import { checkQuorum, describeCosignatures, isMet } from '../../proof/log/quorum.ts';
import type { Primitives } from '../../proof/primitives.ts';
import { type LogProof, LogProofError, readLogProof } from '../../proof/receipt/inclusion.ts';
import { receiptShape } from '../../proof/receipt/receipt-shape.ts';
import {
  describeVerdict,
  isAsAsked,
  judge,
  judgeBytes,
  type VerdictOptions,
} from '../../proof/receipt/verdict.ts';
import type { WitnessPolicy } from '../../proof/receipt/witnessed.ts';
import { judgeByBoth } from './both-implementations.ts';
import type { LinkedOptions } from './complete/options.ts';
import { trustedLogKeys } from './log-keys.ts';
import { policyFrom } from './policy.ts';
import { manifestFrom } from './proof-and-status.ts';
import { describeTree } from './sentences.ts';
import { keysFrom } from './trusted-keys.ts';

const RECEIPT_BYTES_MAX = 2 ** 20;

/**
 * Verifies a receipt, and that the log of accounts has a leaf for each act on it, by the proofs in its public manifest.
 * @param write gets the verdict as JSON, `say` in words
 * @param now Unix time in milliseconds
 * @returns whether the receipt is valid and all of that is proven
 * @throws Failure for inputs that cannot be read
 */
export async function verifyLinked(
  file: string,
  options: LinkedOptions,
  { write, say }: { write(text: string): void; say(sentence: string): void } = {
    write: (text) => process.stdout.write(text),
    say: (sentence) => process.stderr.write(`${printable(sentence)}\n`),
  },
  now = Date.now(),
): Promise<boolean> {
  const document = await gathered(file, bytesOf(file), RECEIPT_BYTES_MAX);
  const trusted = await keysFrom(options.keys, options);
  const policy = options.policy === undefined ? undefined : policyFrom(options.policy, trusted, options);
  const logKeys = await trustedLogKeys(policy, trusted, options);
  const judged: VerdictOptions = {
    keys: trusted.keys,
    now,
    policy: policy && { policy: policy.policy, logKeys: [...logKeys, ...trusted.logKeys] },
  };
  const malformed = judgeBytes(nativePrimitives, document, judged);
  if (malformed.verdict === 'malformed')
    throw new Failure(
      `${file} is not a receipt: ${malformed.problems.join('; ')}`,
      '--linked is of one receipt',
    );
  const value = parseJsonBytes(document);
  const shape = receiptShape(value);
  if ('problems' in shape) throw new Failure(`${file} is not a receipt`, '--linked is of one receipt');
  const { receipt } = shape;
  const { leaves, inclusion } = read(
    await manifestFrom(options.proof, receipt.receipt_id),
    options.proof,
    receipt.status,
  );
  const result = await judgeByBoth('receipt', (primitives) => {
    // A pending receipt has no proof of its own, so the policy is only about its leaves.
    const ofProof =
      inclusion === undefined ? { policy: undefined } : { proof: { proof: inclusion, keys: logKeys } };
    const verdict = judge(primitives, value, { ...judged, ...ofProof });
    const accounts: SignedTree[] = [];
    const linked = checkLinked(primitives, receipt, leaves, logKeys, (tree) => {
      if (!accounts.some((other) => Bun.deepEquals(other, tree))) accounts.push(tree);
    });
    const isTrusted = !['bad', 'wrong_log', 'log_not_named'].includes(linked.check);
    const quorum = isTrusted ? missingQuorum(primitives, leaves, judged.policy, now) : null;
    const check: LinkedCheck = quorum === null ? linked.check : 'bad';
    const problem = quorum ?? linked.problem;
    const problems = [...verdict.problems, ...(problem === null ? [] : [`linked: ${problem}`])];
    const trees = { ...verdict.trees, accounts };
    return { ...verdict, checks: { ...verdict.checks, linked: check }, problems, trees };
  });
  const isValid = isAsAsked(result) && result.checks.linked === 'ok';
  write(`${printable(JSON.stringify(result, null, 2))}\n`);
  if (isValid || result.verdict !== 'valid') say(`${result.verdict}: ${describeVerdict(result)}`);
  else say(`not proven: The receipt itself is valid; ${LINKED_CHECKS[result.checks.linked]}.`);
  for (const problem of result.problems) say(`  ${problem}`);
  const { accounts, ...others } = result.trees;
  for (const tree of [...Object.values(others), ...accounts])
    if (tree !== null) say(`  log: ${describeTree(tree)}`);
  return isValid;
}

/** Reads the proofs of a manifest. A pending receipt is in no log of receipts. @throws Failure */
function read(
  manifest: Uint8Array,
  source: string,
  status: string,
): { leaves: LogProof[]; inclusion: LogProof | undefined } {
  try {
    const leaves = readAccountLeaves(nativePrimitives, manifest);
    return { leaves, inclusion: status === 'pending' ? undefined : readLogProof(nativePrimitives, manifest) };
  } catch (error) {
    if (!(error instanceof LogProofError)) throw error;
    throw new Failure(
      `${source} does not prove it: ${error.message}`,
      'save the response of GET /api/v1/receipts/<id>/public-manifest and specify the file',
    );
  }
}

/** Returns why the quorum did not cosign the checkpoint of a leaf; null if it did, or without a policy. */
function missingQuorum(
  primitives: Primitives,
  leaves: readonly LogProof[],
  asked: WitnessPolicy | undefined,
  now: number,
): string | null {
  if (asked === undefined) return null;
  const logKeys = asked.logKeys.map(({ publicKey }: LogKey) => publicKey);
  for (const { checkpoint } of leaves) {
    const found = checkQuorum(primitives, Buffer.from(checkpoint), asked.policy, { now, logKeys });
    if (!isMet(found.check)) return `quorum: ${describeCosignatures(found)}`;
  }
  return null;
}
