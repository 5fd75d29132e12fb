import { timingSafeEqual } from 'node:crypto';
import { sha256Hex } from '../../platform/crypto/crypto.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { commonErrors } from '../http/errors.ts';
import { createKeyIn, newKeyFields } from '../operators/new-api-key.ts';
import { operatorPayer, SignerAuthority } from '../operators/quotas/authorities.ts';
import type { Quotas } from '../operators/quotas/quotas.ts';
import { operatorById } from '../operators/status.ts';
import { type CheckoutRow, checkoutOfSession, updateCheckout } from './checkout-store.ts';
import { paymentOfSession } from './payment-store.ts';
import type { PaymentProcessor } from './processor/processor.ts';
import { requireProcessor } from './require-processor.ts';

/** The seconds after which a client should ask again whether the payment arrived. */
const RETRY_AFTER_S = '2';

export type ClaimContext = {
  store: Store;
  clock: Clock;
  ids: Ids;
  quotas: Quotas;
  processor: () => Promise<PaymentProcessor | null>;
};

/**
 * Creates, once, the API key of an operator that a checkout created. Its claim token proves the client.
 * @param claimTokens one of them must be that of the checkout
 * @throws ApiError not_configured; not_found for an unknown session or a wrong token, without saying which;
 * invalid_state before the payment arrived; conflict when the key was claimed
 */
export async function claimKey(trust: ClaimContext, sessionId: string, claimTokens: readonly string[]) {
  await requireProcessor(trust);
  // Strangers can request any session, so a transaction begins only for a session that can be claimed.
  await trust.store.read((snapshot) => claimableIn(snapshot, sessionId, claimTokens));
  const authority = new SignerAuthority(trust.quotas, null);
  return trust.store.write(authority, async (tx) => {
    const { checkoutSeq, operatorId } = await claimableIn(tx, sessionId, claimTokens);
    const operator = await operatorById(tx, operatorId);
    const payment = await paymentOfSession(tx, sessionId);
    if (operator === null || payment === null) throw notPaid();
    await authority.paidByIn(tx, () => operatorPayer(operator), 'never refused');
    await updateCheckout(tx, { checkoutSeq, status: 'claimed' });
    const { api_key, keyHash } = await createKeyIn(
      tx,
      trust,
      operator.operatorSeq,
      newKeyFields({ name: 'subscription' }),
    );
    return {
      operator_id: operatorId,
      api_key,
      keyHash,
      ...(payment.asset === 'sandbox' ? { sandbox: true as const } : {}),
    };
  });
}

/** What the page after a checkout shows: whether the payment arrived, and whether the key was claimed. */
export type ClaimState = 'unknown' | CheckoutRow['status'];

/** Returns the state of a checkout to a client with its token; unknown to any other. */
export function claimState(
  { store }: { store: Store },
  sessionId: string,
  claimTokens: readonly string[],
): Promise<ClaimState> {
  return store.read(
    async (snapshot) => (await checkoutFor(snapshot, sessionId, claimTokens))?.status ?? 'unknown',
  );
}

async function claimableIn(
  snapshot: Snapshot,
  sessionId: string,
  claimTokens: readonly string[],
): Promise<CheckoutRow> {
  const checkout = await checkoutFor(snapshot, sessionId, claimTokens);
  if (checkout === null) {
    throw commonErrors.not_found({
      message:
        'There is no checkout with this session_id and claim_token. Send both as the checkout returned them.',
    });
  }
  if (checkout.status === 'open') throw notPaid();
  if (checkout.status === 'claimed') {
    throw commonErrors.conflict({
      message:
        'The API key of this checkout was claimed. Use it, or ask the administrator of the service for another key.',
    });
  }
  return checkout;
}

/** Returns the checkout of a session for the right token; null for anything else. */
async function checkoutFor(
  snapshot: Snapshot,
  sessionId: string,
  claimTokens: readonly string[],
): Promise<CheckoutRow | null> {
  const checkout = await checkoutOfSession(snapshot, sessionId);
  const stored = Buffer.from(checkout?.claimHash ?? '', 'hex');
  const isRight = (claimToken: string): boolean => {
    const claimHash = Buffer.from(sha256Hex(claimToken), 'hex');
    return stored.length === claimHash.length && timingSafeEqual(claimHash, stored);
  };
  return checkout !== null && claimTokens.some(isRight) ? checkout : null;
}

function notPaid() {
  return commonErrors.invalid_state({
    message:
      'The payment has not arrived yet. Repeat the request after the seconds in the Retry-After header.',
    headers: { 'retry-after': RETRY_AFTER_S },
  });
}
