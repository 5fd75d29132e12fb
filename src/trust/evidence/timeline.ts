import type { Snapshot } from '../../platform/store/transaction.ts';
import { evidenceSql } from './store.ts';

/** What anyone may know of an agent's newest `n` items of evidence, newest first. */
export function timelineIn(snapshot: Snapshot, agentSeq: number, n: number) {
  return evidenceSql(snapshot).timeline.all({ agentSeq, rows: n });
}
