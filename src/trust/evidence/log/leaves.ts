import type { Snapshot, Transaction } from '../../../platform/store/transaction.ts';
import { isHex } from '../../../proof/encoding/hex.ts';
import { evidenceEntryText } from '../../../proof/log/log-entry.ts';
import type { Leaf } from '../../log/contents.ts';
import { LogDamage } from '../../log/damage.ts';
import { FIRST_LEAF, type LogRow } from '../../log/logs.ts';
import type { LoggedLeaf } from '../../log/proofs/inclusion-proof.ts';
import { appendIn } from '../../log/tree/append.ts';
import { insertLoggedItem, type NewItem } from '../store.ts';
import { type ItemLeaf, leafOfEvent, leavesBetween } from './leaf-store.ts';

/**
 * Appends an item to its agent's chain and to the log, in one transaction.
 * @returns its evidence_seq, which is the leaf_seq
 */
export async function logItemIn(
  tx: Transaction,
  log: LogRow,
  subjectCommitment: string,
  item: NewItem,
  commits: readonly string[],
): Promise<number> {
  const entry = entryOf(subjectCommitment, item);
  const index = await appendIn(tx, log, entry, (leafHash) => insertLoggedItem(tx, leafHash, item, commits));
  return FIRST_LEAF + index;
}

/** The columns of an item that its entry has. */
type LoggedColumns = Pick<
  NewItem,
  'position' | 'eventHash' | 'prevEventHash' | 'sourceType' | 'payloadDigest' | 'createdAt'
>;

function entryOf(subjectCommitment: string, item: LoggedColumns): string {
  return evidenceEntryText({
    subject_commitment: subjectCommitment,
    index: item.position - 1,
    event_commitment_hash: item.eventHash,
    prev_event_hash: item.prevEventHash,
    source_type: item.sourceType,
    payload_digest: item.payloadDigest,
    anchored_at: item.createdAt,
  });
}

/** Returns the exact text of a leaf's entry. @throws LogDamage if its item or its agent is missing */
export function leafEntry({ leafSeq, entry, item, subjectCommitment }: Omit<ItemLeaf, 'leafHash'>): string {
  if (entry !== null) return entry;
  if (item === null || subjectCommitment === null) {
    throw new LogDamage(
      'evidence',
      `leaf ${leafSeq - FIRST_LEAF} of evidence names an item that does not exist`,
    );
  }
  return entryOf(subjectCommitment, item);
}

/**
 * Returns the existing leaves of the log with index `from` to `to`, exclusive.
 * @throws LogDamage as `leafEntry`
 */
export async function itemLeavesOf(snapshot: Snapshot, from: number, to: number): Promise<Leaf[]> {
  const leaves = await leavesBetween(snapshot, { from: FIRST_LEAF + from, to: FIRST_LEAF + to });
  return leaves.map((leaf) => ({ entry: leafEntry(leaf), leafHash: leaf.leafHash }));
}

/**
 * Returns the leaf of an agent's item, even of one that only the log has; null if there is none, or if an
 * argument is not a hash.
 * @throws LogDamage as `leafEntry`
 */
export async function leafOfItem(
  snapshot: Snapshot,
  subjectCommitment: string,
  eventHash: string,
): Promise<LoggedLeaf | null> {
  if (!isHex(subjectCommitment, 32) || !isHex(eventHash, 32)) return null;
  const leaf = await leafOfEvent(snapshot, subjectCommitment, eventHash);
  return leaf === null ? null : { index: leaf.leafSeq - FIRST_LEAF, entry: leafEntry(leaf) };
}
