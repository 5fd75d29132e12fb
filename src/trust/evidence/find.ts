import type { Snapshot } from '../../platform/store/transaction.ts';
import { isHex } from '../../proof/encoding/hex.ts';
import { type EvidenceItem, evidenceSql } from './store.ts';

export type { EvidenceItem } from './store.ts';

/**
 * The item of an agent's evidence that has this event hash, or else the oldest whose payload has the commit with this SHA, in
 * full; undefined for any other text. Reads one row of an index and no payload, whatever is stored.
 * @param hash an event hash (64 hexadecimal characters), or a commit's SHA (40 or 64)
 */
export function evidenceByHashIn(
  snapshot: Snapshot,
  agentSeq: number,
  hash: string,
): EvidenceItem | undefined {
  if (!isHex(hash, 20) && !isHex(hash, 32)) return undefined;
  const sql = evidenceSql(snapshot);
  const event = hash.length === 64 ? sql.byEventHash.get({ agentSeq, eventHash: hash }) : undefined;
  return event ?? sql.byCommit.get({ agentSeq, commitId: hash });
}

/** What anyone may know of an agent's newest `items` of evidence, newest first. */
export function timelineIn(snapshot: Snapshot, agentSeq: number, items: number) {
  return evidenceSql(snapshot).timeline.all({ agentSeq, rows: items });
}
