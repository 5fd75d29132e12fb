import type { Store } from '../../store/store.ts';
import { type Clock, timestamp } from '../../time/clock.ts';
import type { ClockWatch } from '../../time/clock-watch.ts';
import type { IdempotencyStore } from './once.ts';
import { deleteOldestResponses, deleteResponse, insertResponse, storedResponse } from './store.ts';

const KEPT_MS = 24 * 60 * 60 * 1000;

/** The number of rows per write: it takes some milliseconds, while other writes wait. */
const REMOVED_AT_ONCE = 500;

/**
 * Returns the store of first responses, which it holds for a day. It deletes none while the clock is known to
 * be ahead, so that no request is performed twice.
 */
export function idempotencyStore(clock: Clock, clockWatch: Pick<ClockWatch, 'isAhead'>): IdempotencyStore {
  return {
    async find(tx, scope) {
      const known = await storedResponse(tx, halfOf(scope));
      if (known === null || known.createdAt >= dayBefore(clock) || clockWatch.isAhead) return known;
      await deleteResponse(tx, known.idempotencySeq);
      return null;
    },
    async save(tx, scope, { bodyDigest, response }) {
      await insertResponse(tx, { scope: halfOf(scope), bodyDigest, response, createdAt: timestamp(clock) });
    },
  };
}

/**
 * Returns the first 128 bits of a scope's SHA-256: they identify a scope as reliably, in half of the index
 * size.
 */
function halfOf(scope: string): string {
  return scope.slice(0, 32);
}

/** Deletes the responses that are no longer replayed, oldest first, in batches. */
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
