import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import type { Transaction } from '../../../platform/store/transaction.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { digestReading } from '../../../proof/agent/agent-signature.ts';
import { digest } from '../../../proof/encoding/digest.ts';
import { hexToBytes } from '../../../proof/encoding/hex.ts';
import type { SignedType } from '../../../proof/keys/signed-types.ts';
import { type EscrowState, insertConsent } from './store.ts';

/** The value of `type` of what an arbiter signs. */
export const CONSENT_TYPE = 'arbiter-consent' satisfies SignedType;

/** What an arbiter signs: that it decides disputes about a task with these terms. */
export interface Consent {
  type: typeof CONSENT_TYPE;
  task_id: string;
  terms_digest: string;
}

/** Stores that the arbiter of escrow consented. It can once. */
export async function storeConsentIn(
  tx: Transaction,
  { clock }: { clock: Clock },
  { escrow: { escrowSeq } }: EscrowState,
  signature: string,
): Promise<void> {
  await insertConsent(tx, { escrowSeq, signature, consentedAt: clock.now() });
}

/** Returns whether a signature over the digest of a consent is by a key. Both are lower-case hexadecimal. */
export function isConsentBy(publicKey: string, { type, task_id, terms_digest }: Consent, signature: string) {
  const signed = digest(nativePrimitives, { type, task_id, terms_digest });
  return digestReading(nativePrimitives, hexToBytes(signature), signed, hexToBytes(publicKey)) === 'digest';
}
