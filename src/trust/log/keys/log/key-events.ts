import { nativePrimitives } from '../../../../platform/crypto/crypto.ts';
import type { Snapshot, Transaction } from '../../../../platform/store/transaction.ts';
import { type Clock, timestamp } from '../../../../platform/time/clock.ts';
import { bytesToHex } from '../../../../proof/encoding/hex.ts';
import { type KeyEntry, keyEntryMessage } from '../../../../proof/log/log-entry.ts';
import type { Logs } from '../../logs.ts';
import { sizeOf } from '../../tree/tree.ts';
import { type Signer, type SigningKey, signBy } from '../signing/signer.ts';
import { addedKeyIndexes, appendKeyEntryIn } from './leaves.ts';

/**
 * Appends an event of a key to the key log, signed by the keys concerned: the old and the new one. The key
 * log's key signs a compromise.
 * @param at RFC 3339
 * @returns the size of the receipts log at this moment
 */
export async function appendKeyEventIn(
  tx: Transaction,
  { logs, at, mostReceipts = Number.POSITIVE_INFINITY }: { logs: Logs; at: string; mostReceipts?: number },
  key: SigningKey,
  event: KeyEntry['event'],
  signers: readonly SigningKey[],
): Promise<number> {
  const receiptsTreeSize = Math.min(await sizeOf(tx, logs.receipts), mostReceipts);
  const unsigned = {
    event,
    kid: key.kid,
    algorithm: key.algorithm,
    public_key: key.publicKey,
    purpose: key.purpose,
    at,
    receipts_tree_size: receiptsTreeSize,
  };
  const message = keyEntryMessage(nativePrimitives, unsigned);
  const signatures = signers.map((signer) => ({
    kid: signer.kid,
    signature: bytesToHex(signBy(signer, message)),
  }));
  await appendKeyEntryIn(tx, logs.keys, key.keySeq, { ...unsigned, signatures });
  return receiptsTreeSize;
}

/** Returns whether the key log lacks a key. */
export async function isAnyKeyUnlogged(snapshot: Snapshot, signer: Pick<Signer, 'all'>): Promise<boolean> {
  const logged = await addedKeyIndexes(snapshot);
  return [...signer.all()].some(({ keySeq }) => !logged.has(keySeq));
}

/** Appends every key that the key log lacks. */
export async function appendNewKeysIn(
  tx: Transaction,
  logs: Logs,
  { clock, signer }: { clock: Clock; signer: Signer },
): Promise<void> {
  const logged = await addedKeyIndexes(tx);
  const recordKey = signer.activeKey('keys-log');
  // No other key can cross-sign the first keys of a log.
  const crossSigners = logged.has(recordKey.keySeq) ? [recordKey] : [];
  for (const key of signer.all()) {
    if (logged.has(key.keySeq)) continue;
    // A key that is already active when it is first logged was activated when it was created: the log gets
    // this time, which the row has.
    const at = key.status === 'active' ? key.validFrom : timestamp(clock);
    await appendKeyEventIn(tx, { logs, at }, key, 'added', [...crossSigners, key]);
    if (key.status !== 'active') continue;
    await appendKeyEventIn(tx, { logs, at }, key, 'activated', [...crossSigners, key]);
  }
}
