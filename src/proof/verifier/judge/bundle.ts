import { type BundleOptions, isBundleAsAsked, judgeReceiptBundle } from '../../bundle/verdict.ts';
import { parseJsonBytes } from '../../encoding/json.ts';
import type { VerifierContext } from '../values/context.ts';
import type { Judge } from '../values/judgement.ts';
import { quorumsMet } from './sentences.ts';

/** Judges a bundle of a receipt. It was recognised by its `type`, so that it is JSON. */
export const judgeBundleKind: Judge = (primitives, document, context) => {
  const result = judgeReceiptBundle(primitives, parseJsonBytes(document), bundleOptions(context));
  return {
    isValid: isBundleAsAsked(result),
    result,
    kind: 'bundle',
    ...(context.additional?.trustsKeyLog === true && { open: ['key_status'] }),
    facts: [...(result.notes ?? []), ...quorumsMet(result.cosignatures)],
  };
};

/** Returns what bundles are judged with. */
export function bundleOptions({
  keys,
  logKeys,
  policy,
  at,
  now,
  additional = {},
}: VerifierContext): BundleOptions {
  const { trustsKeyLog = false, domain, revocations, isFresh } = additional;
  return {
    keys: trustsKeyLog ? null : keys,
    logKeys,
    policy,
    now: at,
    clock: now,
    domain,
    revocations,
    isFresh,
  };
}
