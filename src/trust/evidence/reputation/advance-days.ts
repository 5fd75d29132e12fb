import type { Store } from '../../../platform/store/store.ts';
import type { Transaction } from '../../../platform/store/transaction.ts';
import { countsAfter, firstDay, reputationClockOf, setReputationClock } from './days-store.ts';
import { type EvaluationContext, updateReputationIn } from './evaluate.ts';
import { dayOf, startOf, WINDOW_DAYS, windowBounds } from './score.ts';
import { setStale, sumsOfEach } from './store.ts';

/** Rows per transaction. It ends within milliseconds, so that other writers are not blocked. */
const BATCH = 200;

/**
 * Evaluates every agent that had events on the day that left the window: its rates changed without a new
 * event. Does so once a day. It stores its position, so it continues after a restart. Days on which the
 * service did not run are caught up on with today's window.
 */
export async function advanceDays(context: EvaluationContext & { store: Store }): Promise<void> {
  const { store, clock } = context;
  const known = await store.read(reputationClockOf);
  if (known !== null && known.day >= dayOf(clock.now())) return;
  while ((await store.writeAsService((tx) => advanceBatchIn(tx, context))) === 'more');
}

/**
 * Returns when the next day with counts leaves the window, if that is after `after`; null if none has counts.
 * Both are milliseconds since 1970.
 */
export function nextDayOf({ store }: { store: Store }, after: number): Promise<number | null> {
  return store.read(async (snapshot) => {
    const known = await reputationClockOf(snapshot);
    const day = Math.max(known?.day ?? 0, dayOf(after)) - WINDOW_DAYS;
    const position = { day, agentSeq: Number.MAX_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER };
    const [next] = await countsAfter(snapshot, { ...position, limit: 1 });
    return next === undefined ? null : startOf(next.day + WINDOW_DAYS);
  });
}

/** Evaluates one batch. When a day begins, the day 30 days before leaves the window. */
async function advanceBatchIn(tx: Transaction, context: EvaluationContext): Promise<'more' | 'all'> {
  const today = dayOf(context.clock.now());
  // Nothing can leave the window before the first day that has counts.
  const known = (await reputationClockOf(tx)) ?? { day: (await firstDay(tx)) ?? today, agentSeq: 0 };
  const position = { day: known.day + 1 - WINDOW_DAYS, agentSeq: known.agentSeq };
  const batch = await countsAfter(tx, { ...position, to: today - WINDOW_DAYS, limit: BATCH });
  // An agent may have several days in the batch. Evaluate it once: the rows' reputation was read before the
  // first evaluation.
  const subjects = [...new Map(batch.map((row) => [row.agentSeq, row])).values()];
  const agentSeqs = subjects.map(({ agentSeq }) => agentSeq);
  const sums = await sumsOfEach(tx, agentSeqs, windowBounds(today));
  for (const [index, subject] of subjects.entries()) {
    const current = sums[index];
    await setStale(tx, subject.agentSeq);
    if (current !== undefined) await updateReputationIn(tx, context, subject, subject.reputation, current);
  }
  const last = batch.length < BATCH ? undefined : batch.at(-1);
  await setReputationClock(
    tx,
    last === undefined
      ? { day: today, agentSeq: 0 }
      : { day: last.day - 1 + WINDOW_DAYS, agentSeq: last.agentSeq },
  );
  return last === undefined ? 'all' : 'more';
}
