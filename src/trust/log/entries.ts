import type { Snapshot } from '../../platform/store/transaction.ts';
import { receiptEntryText, revocationEntryText } from '../../proof/log/log-entry.ts';
import { LogDamage } from './damage.ts';
import { FIRST_LEAF } from './logs.ts';
import { type KeyLeafRow, type LogRow, logSql } from './store.ts';

export type { KeyLeafRow };

/** A leaf of receipts or revocations with the signed version that it stands for, if that is there. */
export interface VersionLeaf {
  leafSeq: number;
  entry: string | null;
  receiptId: string | null;
  contentHash: string | null;
  signature: string | null;
  signedAt: string | null;
  kid: string | null;
}

/** The exact text of a leaf's entry. @throws LogDamage when the version that it stands for is not there */
export function entryOf(name: 'receipts' | 'revocations', leaf: VersionLeaf): string {
  const { leafSeq, entry, receiptId, contentHash, signature, signedAt, kid } = leaf;
  if (entry !== null) return entry;
  if (receiptId === null || contentHash === null || signature === null || signedAt === null || kid === null) {
    throw new LogDamage(
      name,
      `leaf ${leafSeq - FIRST_LEAF} of ${name} stands for a version that is not there`,
    );
  }
  const said = { receipt_id: receiptId, content_hash: contentHash, signature, kid };
  return name === 'receipts'
    ? receiptEntryText({ ...said, finalized_at: signedAt })
    : revocationEntryText({ ...said, revoked_at: signedAt });
}

/** The leaves of keys with index `from` to `to`, exclusive, as far as they are there. */
export function keyLeavesOf(snapshot: Snapshot, from: number, to: number): KeyLeafRow[] {
  return logSql(snapshot).keyLeaves.all({ from: FIRST_LEAF + from, to: FIRST_LEAF + to });
}

/** The entries of the leaves with index `from` to `to`, exclusive, as far as they are there, with their hashes as stored. */
export function entriesOf(
  snapshot: Snapshot,
  { name }: Pick<LogRow, 'name'>,
  from: number,
  to: number,
): { entry: string; leafHash: Uint8Array }[] {
  if (name === 'keys') return keyLeavesOf(snapshot, from, to);
  return logSql(snapshot)
    .receiptLeaves[name].stretch.all({ from: FIRST_LEAF + from, to: FIRST_LEAF + to })
    .map((leaf) => ({ entry: entryOf(name, leaf), leafHash: leaf.leafHash }));
}
