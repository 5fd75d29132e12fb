import { type Clock, timestamp } from '../clock.ts';
import type { ClockWatch } from '../clock-watch.ts';
import type { IdempotencyStore } from '../http/idempotency.ts';
import type { Store } from '../store/store.ts';
import { idempotencySql } from './store.ts';

const KEPT_MS = 24 * 60 * 60 * 1000;

/** So many are removed in one write: some milliseconds, which others wait for. */
const REMOVED_AT_ONCE = 500;

/** Where first answers are kept for a day; none is forgotten while the clock is known to be ahead, and so no request done twice. */
export function idempotencyStore(clock: Clock, clockWatch: Pick<ClockWatch, 'isAhead'>): IdempotencyStore {
  return {
    find(tx, scope) {
      const row = idempotencySql(tx).find.get({ scope: halfOf(scope) });
      if (row === undefined || row.createdAt >= dayBefore(clock) || clockWatch.isAhead) return row;
      idempotencySql(tx).delete.run({ idempotencySeq: row.idempotencySeq });
      return undefined;
    },
    keep(tx, scope, { bodyDigest, answer }) {
      idempotencySql(tx).put.run({ scope: halfOf(scope), bodyDigest, answer, createdAt: timestamp(clock) });
    },
  };
}

/** 128 bits of a SHA-256 keep two scopes apart as well, in half of the index. */
function halfOf(scope: string): string {
  return scope.slice(0, 32);
}

/** Removes the answers that are no longer replayed, oldest first, some at a time. */
export async function forgetOldAnswers(store: Store, clock: Clock): Promise<void> {
  let removed: number;
  do {
    removed = await store.writeAsService((tx) => {
      const sql = idempotencySql(tx);
      const before = dayBefore(clock);
      const old = sql.oldest.all({ rows: REMOVED_AT_ONCE }).filter(({ createdAt }) => createdAt < before);
      for (const { idempotencySeq } of old) sql.delete.run({ idempotencySeq });
      return old.length;
    });
  } while (removed === REMOVED_AT_ONCE);
}

function dayBefore(clock: Clock): string {
  return new Date(clock.now() - KEPT_MS).toISOString();
}
