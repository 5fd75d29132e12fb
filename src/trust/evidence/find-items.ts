import type { Snapshot } from '../../platform/store/transaction.ts';
import { isHex } from '../../proof/encoding/hex.ts';
import { FIRST_LEAF } from '../log/logs.ts';
import { leafSeqOfEvent } from './log/leaf-store.ts';
import {
  type EvidenceItem,
  itemByCommit,
  itemByEventHash,
  newestItems,
  payloadsOf,
  type TimelineItem,
} from './store.ts';

export type { EvidenceItem } from './store.ts';

/**
 * Finds an agent's item by its event hash, else the oldest item whose payload contains the commit with this
 * full SHA. Reads one row of an index and no payload.
 * @param hash an event hash (64 hexadecimal characters), or a commit's SHA (40 or 64)
 * @returns null if there is none
 */
export async function evidenceByHashIn(
  snapshot: Snapshot,
  agentSeq: number,
  hash: string,
): Promise<EvidenceItem | null> {
  if (!isHex(hash, 20) && !isHex(hash, 32)) return null;
  const event = hash.length === 64 ? await itemByEventHash(snapshot, { agentSeq, eventHash: hash }) : null;
  return event ?? (await itemByCommit(snapshot, { agentSeq, commitId: hash }));
}

/**
 * Returns the index in the log of evidence of the item of any agent with an event hash, even of one that only
 * the log has; null if there is none.
 */
export async function evidenceIndexIn(snapshot: Snapshot, eventHash: string): Promise<number | null> {
  if (!isHex(eventHash, 32)) return null;
  const leafSeq = await leafSeqOfEvent(snapshot, eventHash);
  return leafSeq === null ? null : leafSeq - FIRST_LEAF;
}

/**
 * Returns the payloads of items as JSON, by the number of the item. Reads them in the given order until they
 * exceed `maxBytes` together.
 * @throws Error for an item that does not exist
 */
export async function payloadsIn(
  snapshot: Snapshot,
  evidenceSeqs: readonly number[],
  maxBytes: number,
): Promise<ReadonlyMap<number, string>> {
  const payloads = await payloadsOf(snapshot, evidenceSeqs, maxBytes);
  // Those of assessments are never deleted.
  return new Map([...payloads].flatMap(([seq, payload]) => (payload === null ? [] : [[seq, payload]])));
}

/** Returns the public view of an agent's newest `items` items of evidence, newest first. */
export function timelineIn(snapshot: Snapshot, agentSeq: number, items: number): Promise<TimelineItem[]> {
  return newestItems(snapshot, { agentSeq, limit: items });
}
