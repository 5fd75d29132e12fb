import type { JsonValue } from '../../proof/encoding/json.ts';
import { documentKind, RECEIPT, RECEIPT_BUNDLE } from '../../proof/verifier/kinds/kinds.ts';
import { trustOf, type VerifierKeys } from '../../proof/verifier/trust.ts';
import type { Described } from '../../proof/verifier/values/judgement.ts';
import { judge } from './judge/judge.ts';
import { requireOptions } from './options/by-document.ts';

/** What a document is verified with. */
interface Given {
  keys: VerifierKeys;
  /** Of a receipt: its signed status. */
  status?: JsonValue;
  /** Unix time in milliseconds. */
  now: number;
}

/**
 * Verifies one document by the given keys. It reads no file, no URL and no clock.
 * @throws Failure for a kind of document that needs more than keys
 */
export async function verifyDocument(document: Uint8Array, { keys, status, now }: Given): Promise<Described> {
  const kind = documentKind(document) ?? RECEIPT;
  const isStated = kind === RECEIPT && status !== undefined;
  requireOptions(kind.inputs, { keys: 'given', ...(isStated && { status: 'given' }) }, kind.name);
  const { closedLogs: _, ...trust } = trustOf(keys, undefined, undefined);
  const judged = judge({
    subject: 'document',
    name: kind.name,
    document,
    context: {
      ...trust,
      at: now,
      now,
      additional: {
        ...(isStated && { status }),
        // The keys of a bundle count only if the given ones say so.
        ...(kind === RECEIPT_BUNDLE && { trustsKeyLog: false }),
      },
    },
    judge: await kind.load(),
  });
  if (judged instanceof Promise) return judged;
  throw new Error('a document was judged as a list');
}
