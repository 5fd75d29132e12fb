import type { Snapshot } from '../../platform/store/transaction.ts';
import type { EvidenceRow } from './store.ts';
import { stretchSql } from './stretch-store.ts';

export type { EvidenceRow } from './store.ts';

/** An item as it is stored, with what it is held against, as far as that is there. */
export interface StoredEvidence {
  item: EvidenceRow;
  /** Of its agent. */
  subjectCommitment: string | null;
  publicKey: string | null;
  /** The event hash of the agent's item at the position before. */
  precedingHash: string | null;
  /** The agent's item at the position behind. */
  followingSeq: number | null;
  /** How many items are counted of the agent, and the hash of the last. */
  countedItems: number | null;
  countedHash: string | null;
}

/** For the audit: items behind `after` up to `reach`, in their order. */
export function evidenceStretch(snapshot: Snapshot, after: number, reach: number): StoredEvidence[] {
  return stretchSql(snapshot).stretch.all({ after, reach });
}

/** The highest number that an item has; 0 while there is none. */
export function newestEvidence(snapshot: Snapshot): number {
  return stretchSql(snapshot).newest.get()?.seq ?? 0;
}

/** Returns whether an item is found by a commit. @param commitId a full SHA */
export function isIndexed(
  snapshot: Snapshot,
  { agentSeq, evidenceSeq }: EvidenceRow,
  commitId: string,
): boolean {
  return stretchSql(snapshot).hasCommit.get({ agentSeq, commitId, evidenceSeq }) !== undefined;
}
