import type { receiptVersion } from '../../../db/trust/receipts.ts';
import { nativePrimitives } from '../../platform/crypto.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import { contentHash, type ReceiptPayload, signingMessage } from '../../proof/receipt.ts';
import { dateBackIn } from '../keys/date-back.ts';
import type { Signer } from '../keys/signer.ts';
import { receiptSql } from './store.ts';

type Version = typeof receiptVersion.$inferSelect;

/** A version of a receipt, with all but what signing adds. */
export type Unsigned = Omit<Version, 'contentHash' | 'hashPrefix' | 'signature' | 'keySeq' | 'signedAt'>;

/** Signs a version of a receipt and keeps it. Every version that was ever signed stays. */
export function signVersionIn(
  tx: Transaction,
  signer: Signer,
  version: Unsigned,
  payload: ReceiptPayload,
  signedAt: string,
): { current: Version; kid: string } {
  const hash = contentHash(nativePrimitives, payload);
  const { signature, kid, keySeq } = signer.sign('receipts', signingMessage(hash));
  const current = {
    ...version,
    contentHash: hash,
    hashPrefix: hashPrefix(hash),
    signature,
    keySeq,
    signedAt,
  };
  receiptSql(tx).insertVersion.run(current);
  dateBackIn(tx, signer, keySeq, signedAt);
  return { current, kid };
}

/** The first 48 bits of a content hash, by which versions are indexed. */
export function hashPrefix(contentHash: string): number {
  return Number.parseInt(contentHash.slice(0, 12), 16);
}
