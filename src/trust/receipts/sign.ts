import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import type { Traffic } from '../../platform/http/traffic.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import { contentHash, type ReceiptPayload, signingMessage } from '../../proof/receipt/receipt.ts';
import type { Signed, Signer } from '../log/keys/signing/signer.ts';
import { insertVersion, type Version } from './store.ts';

/** The first version of every receipt. */
export const PENDING = {
  version: 1,
  status: 'pending',
  revocationStatus: 'active',
  outputHash: null,
  reason: null,
  errorTranche: null,
  revocationReason: null,
} as const;

/** A version of a receipt before it is signed. */
export type UnsignedVersion = Omit<Version, 'contentHash' | 'signature' | 'keySeq' | 'signedAt'>;

/** A payload's content hash and the signature over it. */
export interface SignedPayload extends Signed {
  contentHash: string;
}

/** The number of open requests from which receipts are signed off the event loop. */
const BUSY_LOAD = 32;

/**
 * Returns whether to sign off the event loop. With few callers, the other thread takes longer than it saves.
 */
export function isBusy({ load }: Pick<Traffic, 'load'>): boolean {
  return load >= BUSY_LOAD;
}

/** Signs a payload with the active key. */
export function signPayload(signer: Signer, payload: ReceiptPayload): SignedPayload {
  const hash = contentHash(nativePrimitives, payload);
  return { contentHash: hash, ...signer.sign('receipts', signingMessage(hash)) };
}

/** Signs a payload off the event loop. When it is done, another key may be active. */
export async function signPayloadAsync(signer: Signer, payload: ReceiptPayload): Promise<SignedPayload> {
  const hash = contentHash(nativePrimitives, payload);
  return { contentHash: hash, ...(await signer.signAsync('receipts', signingMessage(hash))) };
}

/** Signs a version of a receipt and stores it. Signed versions are never deleted. */
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
  await signer.backdateIn(tx, signed.keySeq, signedAt);
  return { current, kid };
}
