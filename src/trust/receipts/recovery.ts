import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import { type Clock, timestamp } from '../../platform/time/clock.ts';
import type { RevocationEntry } from '../../proof/log/log-entry.ts';
import { contentHash } from '../../proof/receipt/receipt.ts';
import type { Signer } from '../log/keys/signing/signer.ts';
import { keySeqOf } from '../log/keys/signing-keys.ts';
import { Events } from '../webhooks/events.ts';
import { countRevokedIn } from './count-revoked.ts';
import { receiptPayload } from './representation.ts';
import { signVersionIn, type UnsignedVersion } from './sign.ts';
import { insertVersion, receiptById, setRevoked } from './store.ts';

/** Returns the number of a receipt; null if a restored backup does not have it. */
export async function receiptSeqOf(snapshot: Snapshot, receiptId: string): Promise<number | null> {
  return (await receiptById(snapshot, receiptId))?.receipt.receiptSeq ?? null;
}

/**
 * Revokes a receipt that was revoked after the backup was made, so that it does not count as active again.
 * Restores the original version if the database has the signed content; else signs the revocation again.
 *
 * @returns the receipt, and its version if that is the one of the entry; null if the receipt is missing
 */
export async function recoverRevocationIn(
  tx: Transaction,
  { signer, clock }: { signer: Signer; clock: Clock },
  entry: RevocationEntry,
): Promise<{ receiptSeq: number; version: number | null } | null> {
  const state = await receiptById(tx, entry.receipt_id);
  if (state === null) return null;
  const { receiptSeq } = state.receipt;
  const newest = await setRevoked(tx, receiptSeq);
  if (newest === null) return { receiptSeq, version: null };
  const { status, outputHash, reason, errorTranche } = state.current;
  const version: UnsignedVersion = {
    receiptSeq,
    version: newest,
    status,
    outputHash,
    reason,
    errorTranche,
    revocationStatus: 'revoked',
    revocationReason: null,
  };
  // Subscribers were notified when it happened. While no server runs, nothing is cached.
  const credentialCache = { changedIn: () => undefined };
  const counted = () => countRevokedIn(tx, { clock, events: new Events(), credentialCache }, state);
  const payload = receiptPayload({ ...state, current: version });
  const keySeq = await keySeqOf(tx, entry.kid);
  if (contentHash(nativePrimitives, payload) !== entry.content_hash || keySeq === null) {
    await signVersionIn(tx, signer, version, payload, timestamp(clock));
    await counted();
    return { receiptSeq, version: null };
  }
  const { content_hash, signature, revoked_at: signedAt } = entry;
  await insertVersion(tx, { ...version, contentHash: content_hash, signature, keySeq, signedAt });
  await counted();
  await signer.backdateIn(tx, keySeq, signedAt);
  return { receiptSeq, version: newest };
}
