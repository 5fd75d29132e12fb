import { jsonOrNull } from '../../encoding/json.ts';
import { eachTreeOnce } from '../../log/signed-trees.ts';
import { KIND_WORDS } from '../../words/kinds.ts';
import { type Signer, signerOf } from '../../words/signer.ts';
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
    isSigned: isSigned(result),
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
      ...(signer === null ? [] : [describe(signer)]),
      ...trees.map((tree) => `log: ${describeTree(tree)}`),
      ...facts,
    ],
  };
}

/** Returns whether the signature counts: what a document names without it is a claim. */
function isSigned({ checks }: Judgement['result']): boolean {
  const { hash, signature, key, issuer, proof } = Object(checks);
  const isOfNobodyElse =
    hash !== 'mismatch' && key !== 'compromised' && issuer !== 'unknown' && issuer !== false;
  return isOfNobodyElse && (signature === 'ok' || proof === true);
}

function describe({ issuer, is_only_claimed, kid, key_log }: Signer): string {
  const who = `${issuer ?? 'a service that the list of keys does not name'}${is_only_claimed ? ' (only the document says so)' : ''}`;
  return `signer: ${who}, key ${kid ?? 'not named'}; log of keys: ${key_log ?? 'not named'}`;
}
