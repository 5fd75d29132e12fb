import type { Store } from '../../platform/store/store.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import { commitsIn } from '../../proof/evidence/commits.ts';
import type { SourceType } from '../../proof/evidence/source-types.ts';
import { payloadIn } from './packed.ts';
import { evidenceSql } from './store.ts';

/** So many payloads are decoded in one transaction: some hundred of the largest are in memory at once. */
const BATCH = 100;

/**
 * Indexes the commits of the items that a database had before there was this index. Where it stopped, when the process does, it
 * goes on at the next start.
 */
export async function indexOldEvidence(store: Store): Promise<void> {
  while ((await store.writeAsService(indexIn)) === BATCH);
}

/** One batch. @returns the number of its items */
function indexIn(tx: Transaction): number {
  const sql = evidenceSql(tx);
  const items = sql.unindexed.all({ rows: BATCH });
  for (const { agentSeq, evidenceSeq, sourceType, payload } of items) {
    const commits = JSON.stringify(readableCommits(sourceType, payload));
    sql.insertCommits.run({ agentSeq, evidenceSeq, commits });
    sql.indexed.run({ evidenceSeq });
  }
  return items.length;
}

/** A damaged payload must not keep the service from starting: `fsck` reports it. */
function readableCommits(sourceType: SourceType, payload: Uint8Array): string[] {
  try {
    return commitsIn(sourceType, payloadIn(payload));
  } catch {
    return [];
  }
}
