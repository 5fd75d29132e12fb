import type { Snapshot } from '../../platform/store/transaction.ts';
import { isHex } from '../../proof/hex.ts';
import { commitsIn } from './commits.ts';
import { markOf } from './marks.ts';
import { payloadIn } from './packed.ts';
import { type EvidenceItem, evidenceSql } from './store.ts';

export type { EvidenceItem } from './store.ts';

/**
 * Among 48 bits two hashes hardly ever meet; whoever makes many that do, which takes the agent's key, hides only what came
 * after them.
 */
const MOST_MARKED = 256;

/**
 * The item of an agent's evidence that has this event hash, or else the oldest whose payload has the commit with this SHA, in
 * full; undefined for any other text. @param hash an event hash (64 hexadecimal characters), or a commit's SHA (40 or 64)
 */
export function evidenceByMarkIn(
  snapshot: Snapshot,
  agentSeq: number,
  hash: string,
): EvidenceItem | undefined {
  if (!isHex(hash, 20) && !isHex(hash, 32)) return undefined;
  const sql = evidenceSql(snapshot);
  const mark = markOf(hash);
  const event = hash.length === 64 ? sql.byEventHash.get({ agentSeq, mark, eventHash: hash }) : undefined;
  if (event !== undefined) return event;
  return sql.byMark.all({ agentSeq, mark, rows: MOST_MARKED }).find(({ evidenceSeq, sourceType }) => {
    if (!sourceType.startsWith('github_')) return false;
    const { payload } = sql.payload.get({ evidenceSeq }) ?? {};
    return payload !== undefined && commitsIn(sourceType, payloadIn(payload)).includes(hash);
  });
}

/** What anyone may know of an agent's newest `items` of evidence, newest first. */
export function timelineIn(snapshot: Snapshot, agentSeq: number, items: number) {
  return evidenceSql(snapshot).timeline.all({ agentSeq, rows: items });
}
