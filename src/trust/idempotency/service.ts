import { type Clock, timestamp } from '../../platform/clock.ts';
import type { IdempotencyStore } from '../../platform/http/idempotency.ts';
import type { Store } from '../../platform/store/store.ts';
import { idempotencySql } from './store.ts';

const KEPT_MS = 24 * 60 * 60 * 1000;

/** Where first answers are kept for a day. */
export function idempotencyStore(clock: Clock): IdempotencyStore {
  return {
    find(tx, scope) {
      const row = idempotencySql(tx).find.get({ scope });
      return row !== undefined && row.createdAt >= dayBefore(clock) ? row : undefined;
    },
    keep(tx, scope, { bodyDigest, answer }) {
      idempotencySql(tx).put.run({ scope, bodyDigest, answer, createdAt: timestamp(clock) });
    },
  };
}

/** Removes the answers that are no longer replayed. */
export async function forgetOldAnswers(store: Store, clock: Clock): Promise<void> {
  await store.write((tx) => void idempotencySql(tx).deleteBefore.run({ before: dayBefore(clock) }));
}

function dayBefore(clock: Clock): string {
  return new Date(clock.now() - KEPT_MS).toISOString();
}
