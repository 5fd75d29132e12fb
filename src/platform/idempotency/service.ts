import type { Store } from '../store/store.ts';
import { type Clock, timestamp } from '../time/clock.ts';
import type { ClockWatch } from '../time/clock-watch.ts';
import type { IdempotencyStore } from './once.ts';
import { deleteOldestResponses, deleteResponse, insertResponse, storedResponse } from './store.ts';

const KEPT_MS = 24 * 60 * 60 * 1000;

/** So many are removed in one write: some milliseconds, which others wait for. */
const REMOVED_AT_ONCE = 500;

/** Where first answers are kept for a day; none is forgotten while the clock is known to be ahead, and so no request done twice. */
export function idempotencyStore(clock: Clock, clockWatch: Pick<ClockWatch, 'isAhead'>): IdempotencyStore {
  return {
    async find(tx, scope) {
      const known = await storedResponse(tx, halfOf(scope));
      if (known === null || known.createdAt >= dayBefore(clock) || clockWatch.isAhead) return known;
      await deleteResponse(tx, known.idempotencySeq);
      return null;
    },
    save(tx, scope, { bodyDigest, response }) {
      return insertResponse(tx, { scope: halfOf(scope), bodyDigest, response, createdAt: timestamp(clock) });
    },
  };
}

/** 128 bits of a SHA-256 keep two scopes apart as well, in half of the index. */
function halfOf(scope: string): string {
  return scope.slice(0, 32);
}

/** Removes the answers that are no longer replayed, oldest first, some at a time. */
export async function deleteOldResponses(store: Pick<Store, 'writeAsService'>, clock: Clock): Promise<void> {
  let removed: number;
  do {
    removed = await store.writeAsService((tx) =>
      deleteOldestResponses(tx, REMOVED_AT_ONCE, dayBefore(clock)),
    );
  } while (removed === REMOVED_AT_ONCE);
}

function dayBefore(clock: Clock): string {
  return new Date(clock.now() - KEPT_MS).toISOString();
}
