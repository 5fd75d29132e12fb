import { entryIn, judgeCoseReceipt } from '../../log/cose-verdict.ts';
import type { Judge } from '../values/judgement.ts';

/** Judges a saved COSE receipt with the entry of --entry. */
export const judgeCoseKind: Judge = (primitives, document, { logKeys, now, additional }) => {
  const entry = entryIn(additional?.entry ?? new Uint8Array());
  const result = judgeCoseReceipt(primitives, document, { entry, logKeys, now });
  const { verdict, proven } = result;
  return {
    isValid: verdict === 'valid',
    result,
    kind: 'cose',
    facts: proven === null ? [] : [`${proven.log}: ${proven.entry}`],
  };
};
