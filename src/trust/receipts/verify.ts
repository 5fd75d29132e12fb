import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { isJsonObject, type JsonValue } from '../../proof/encoding/json.ts';
import { describeVerdict, judge, type Verdict } from '../../proof/receipt/verdict.ts';
import { commonErrors } from '../http/errors.ts';
import type { Signer } from '../log/keys/signing/signer.ts';
import { keyRecords } from '../log/keys/signing-keys.ts';
import type { TrustLog } from '../log/lifecycle/open.ts';
import { receiptsErrors } from './errors.ts';
import { leafOfReceipt, loggedContentHash } from './log/leaves.ts';
import { lostVersionMessage } from './log/lost-versions.ts';
import { receiptWithSalt } from './representation.ts';
import { type ReceiptState, receiptById } from './store.ts';

const REVOCATION = { active: 'ok', revoked: 'revoked' } as const;

/** The parts of the service that verifying a receipt uses. */
export type VerifyContext = { store: Store; clock: Clock; signer: Signer; log: TrustLog };

/**
 * Returns the verdict on a receipt that a caller shows, by the keys and the log of this service. A receipt
 * that was revoked after the shown version is `revoked`. Throws only if the database lost a version.
 * @throws ApiError conflict if the log knows more of the receipt than the database
 */
export function verifyReceipt(context: VerifyContext, document: JsonValue) {
  const receiptId = isJsonObject(document) ? document.receipt_id : undefined;
  return verdictOn(context, typeof receiptId === 'string' ? receiptId : '', () => document);
}

/** Returns the verdict on a stored receipt. @throws ApiError receipt_not_found; as verifyReceipt */
export function verifyReceiptById(context: VerifyContext, receiptId: string) {
  return verdictOn(context, receiptId, (state) => {
    if (state === null) throw receiptsErrors.receipt_not_found();
    return Object.fromEntries(Object.entries(receiptWithSalt(state)));
  });
}

function verdictOn(
  { store, clock, signer, log }: VerifyContext,
  receiptId: string,
  documentOf: (state: ReceiptState | null) => JsonValue,
) {
  const knownKeys = signer.all();
  return store.read(async (snapshot) => {
    const state = await receiptById(snapshot, receiptId);
    const document = documentOf(state);
    const current = state === null ? null : state.current;
    const lost = state === null ? null : await lostVersionMessage(snapshot, state);
    // As for the signed status: a revocation is final, even if another version was lost.
    if (lost !== null && current?.revocationStatus !== 'revoked')
      throw commonErrors.conflict({ message: lost });
    const leaf = state === null ? null : await leafOfReceipt(snapshot, state.receipt.receiptSeq);
    const shownHash = isJsonObject(document) ? document.content_hash : undefined;
    const position =
      leaf !== null && loggedContentHash(leaf) === shownHash
        ? { log: log.open.receipts.origin, index: leaf.index }
        : undefined;
    const keys = await keyRecords(snapshot, knownKeys, log.open.receipts.origin);
    const judged = judge(nativePrimitives, document, { keys, now: clock.now(), position });
    // The service knows of its own receipts whether they are revoked.
    const revocation =
      current === null || judged.verdict === 'malformed' || judged.revocation === 'revoked'
        ? judged.revocation
        : REVOCATION[current.revocationStatus];
    const verdict: Verdict = revocation === 'revoked' ? 'revoked' : judged.verdict;
    return {
      verdict,
      description: describeVerdict({ verdict, revocation }),
      authentic: judged.authentic,
      revocation,
      checks: judged.checks,
      problems: judged.problems,
      /** The newest version that the service has; null for a receipt that it did not issue. */
      current:
        current === null
          ? null
          : {
              receipt_id: receiptId,
              status: current.status,
              revocation_status: current.revocationStatus,
              content_hash: current.contentHash,
            },
    };
  });
}
