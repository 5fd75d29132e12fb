import type { Store } from '../../store/store.ts';
import { type Clock, timestamp } from '../../time/clock.ts';
import type { ClockWatch } from '../../time/clock-watch.ts';
import { timestampOf } from '../../time/timestamp.ts';
import { DAY_MS } from '../../time/units.ts';
import type { IdempotencyStore } from './once.ts';
import { deleteOldestResponses, responsesOf } from './store.ts';

/**
 * How long first responses are kept. A capture that could not reach the service repeats its requests when it
 * can, so those of capture ids are kept longer.
 */
const keptMs = (isCapture: boolean): number => (isCapture ? 30 * DAY_MS : DAY_MS);

/** The number of rows per write: it takes some milliseconds, while other writes wait. */
const REMOVED_AT_ONCE = 500;

/**
 * Returns the store of first responses, which it holds for a day, or for 30 days. It deletes none while the
 * clock is known to be ahead, so that no request is performed twice.
 */
export function idempotencyStore(clock: Clock, clockWatch: Pick<ClockWatch, 'isAhead'>): IdempotencyStore {
  return {
    async find(tx, { digest, isCapture }) {
      const { find, remove } = responsesOf(isCapture);
      const known = await find(tx, halfOf(digest));
      if (known === null || known.createdAt >= oldestKept(clock, isCapture) || clockWatch.isAhead)
        return known;
      await remove(tx, known.idempotencySeq);
      return null;
    },
    async save(tx, { digest, isCapture }, { bodyDigest, response }) {
      const row = { scope: halfOf(digest), bodyDigest, response, createdAt: timestamp(clock) };
      await responsesOf(isCapture).insert(tx, row);
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
  for (const isCapture of [false, true]) {
    let removed: number;
    do {
      removed = await store.writeAsService((tx) =>
        deleteOldestResponses(tx, isCapture, REMOVED_AT_ONCE, oldestKept(clock, isCapture)),
      );
    } while (removed === REMOVED_AT_ONCE);
  }
}

function oldestKept(clock: Clock, isCapture: boolean): string {
  return timestampOf(clock.now() - keptMs(isCapture));
}
