import { jsonOrNull } from '../../encoding/json.ts';
import { eachTreeOnce } from '../../log/signed-trees.ts';
import { KIND_WORDS } from '../../words/kinds.ts';
import { describeSigner, isSigned, signerOf } from '../../words/signer.ts';
import { summaryOf } from '../../words/summary.ts';
import { markTest } from '../../words/test-service.ts';
import type { VerifierContext } from '../values/context.ts';
import type { Described, Judgement } from '../values/judgement.ts';
import { describeTree } from './sentences.ts';

/** Adds who signed the document, which logs, what the judgement says, and what it does not. */
export function described(
  { kind, open, result, facts, ...judgement }: Judgement,
  document: Uint8Array,
  { issuer = null, keyLog }: VerifierContext,
): Described {
  const signer = signerOf(KIND_WORDS[kind], jsonOrNull(document), {
    trusted: issuer,
    keyLog,
    isSigned: isSigned(result.checks),
  });
  const trees = eachTreeOnce(result.trees ?? []);
  const said = markTest(summaryOf(KIND_WORDS[kind], result, judgement.isValid, open), [
    keyLog,
    ...trees.map(({ log }) => log),
  ]);
  return {
    ...judgement,
    kind,
    result: { ...result, ...(signer !== null && { signer }), trees, ...said },
    facts: [
      ...(signer === null ? [] : [describeSigner(signer)]),
      ...trees.map((tree) => `log: ${describeTree(tree)}`),
      ...facts,
    ],
  };
}
