import type { Snapshot } from '../../platform/store/transaction.ts';
import { isHex } from '../../proof/encoding/hex.ts';
import { type EvidenceItem, itemByCommit, itemByEventHash, newestItems, type TimelineItem } from './store.ts';

export type { EvidenceItem } from './store.ts';

/**
 * The item of an agent's evidence that has this event hash, or else the oldest whose payload has the commit with this SHA, in
 * full; null for any other text. Reads one row of an index and no payload, whatever is stored.
 * @param hash an event hash (64 hexadecimal characters), or a commit's SHA (40 or 64)
 */
export async function evidenceByHashIn(
  snapshot: Snapshot,
  agentSeq: number,
  hash: string,
): Promise<EvidenceItem | null> {
  if (!isHex(hash, 20) && !isHex(hash, 32)) return null;
  const event = hash.length === 64 ? await itemByEventHash(snapshot, agentSeq, hash) : null;
  return event ?? (await itemByCommit(snapshot, agentSeq, hash));
}

/** What anyone may know of an agent's newest `items` of evidence, newest first. */
export function timelineIn(snapshot: Snapshot, agentSeq: number, items: number): Promise<TimelineItem[]> {
  return newestItems(snapshot, agentSeq, items);
}
