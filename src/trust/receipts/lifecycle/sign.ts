import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import type { Transaction } from '../../../platform/store/transaction.ts';
import { contentHash, type ReceiptPayload, signingMessage } from '../../../proof/receipt/receipt.ts';
import type { Signed, Signer } from '../../keys/signing/signer.ts';
import { insertVersion, type Version } from '../store.ts';

/** A version of a receipt, with all but what signing adds. */
export type UnsignedVersion = Omit<Version, 'contentHash' | 'signature' | 'keySeq' | 'signedAt'>;

/** A payload's content hash and the signature over it. */
export interface SignedPayload extends Signed {
  contentHash: string;
}

/** Signs a payload by the active key. */
export function signPayload(signer: Signer, payload: ReceiptPayload): SignedPayload {
  const hash = contentHash(nativePrimitives, payload);
  return { contentHash: hash, ...signer.sign('receipts', signingMessage(hash)) };
}

/** The same beside the event loop; when it is done, another key may be the active one. */
export async function signPayloadAsync(signer: Signer, payload: ReceiptPayload): Promise<SignedPayload> {
  const hash = contentHash(nativePrimitives, payload);
  return { contentHash: hash, ...(await signer.signAsync('receipts', signingMessage(hash))) };
}

/** Signs a version of a receipt and keeps it. Every version that was ever signed stays. */
export async function signVersionIn(
  tx: Transaction,
  signer: Signer,
  version: UnsignedVersion,
  payload: ReceiptPayload,
  signedAt: string,
): Promise<{ current: Version; kid: string }> {
  const { kid, ...signed } = signPayload(signer, payload);
  const current = { ...version, ...signed, signedAt };
  await insertVersion(tx, current);
  const dating = signer.backdateIn(tx, signed.keySeq, signedAt);
  if (dating !== undefined) await dating;
  return { current, kid };
}
