import { randomBytes } from 'node:crypto';
import { GroupCache } from '../../../platform/store/cache/group-cache.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Snapshot, Transaction } from '../../../platform/store/transaction.ts';
import { commonErrors } from '../../http/errors.ts';
import type { ActLine } from './acts-file.ts';
import { restoredErrors } from './errors.ts';
import { deleteRestored, insertAct, newestActUntil, pendingRestore } from './store.ts';

/** Whether a restore waits, for the units of a transaction: each movement of money asks. */
const waits = new GroupCache<boolean>();

/** Refuses what moves money while a restore is not accepted. @throws ApiError restore_not_accepted */
export async function requireAcceptedRestoreIn(tx: Transaction): Promise<void> {
  if (await waits.get(tx, '', () => isRestorePending(tx)))
    throw restoredErrors.restore_not_accepted({ headers: { 'retry-after': '60' } });
}

/** Returns whether the database was restored and not accepted yet. */
export async function isRestorePending(snapshot: Snapshot): Promise<boolean> {
  return (await pendingRestore(snapshot)) !== null;
}

/** Returns what health says while a restore is not accepted; null when none waits. */
export async function restoreProblem({ store }: { store: Store }): Promise<string | null> {
  return (await store.read(isRestorePending))
    ? 'The database was restored from a backup: withdrawals, settlements and payouts wait. Run countersign restore show, then countersign restore accept.'
    : null;
}

export type RestoreRow = NonNullable<Awaited<ReturnType<typeof pendingRestore>>>;

/** Returns the restore that was not accepted yet. @throws ApiError invalid_state */
export async function requirePendingRestore(snapshot: Snapshot): Promise<RestoreRow> {
  const pending = await pendingRestore(snapshot);
  if (pending !== null) return pending;
  throw commonErrors.invalid_state({
    message:
      'The database was not restored since the last restore was accepted, so there is nothing to accept.',
  });
}

/**
 * Returns how many of the first lines were accepted before the backup was made: an administrator has seen
 * what they say about payouts that no database has any more.
 */
export async function acceptedLines(
  snapshot: Snapshot,
  { restoredAt, dataUntil }: RestoreRow,
  lines: readonly ActLine[],
): Promise<number> {
  const known = await newestActUntil(snapshot, restoredAt);
  const newest = lines.findIndex((line) => line.act !== 'begin' && line.id === known);
  const isBefore = (line: ActLine, index: number) =>
    index <= newest || (dataUntil !== null && Date.parse(line.at) <= dataUntil);
  return 1 + lines.findLastIndex((line, index) => line.act === 'restore_accepted' && isBefore(line, index));
}

/**
 * Stores that the restore was accepted, as an act too: from then on the database is not older than the file.
 */
export async function acceptRestoreIn(tx: Transaction, now: number): Promise<void> {
  await deleteRestored(tx);
  waits.clear();
  const act = JSON.stringify({ act: 'restore_accepted' });
  await insertAct(tx, { actId: randomBytes(16).toString('hex'), createdAt: now, act });
}
