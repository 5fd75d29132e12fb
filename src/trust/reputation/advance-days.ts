import type { Store } from '../../platform/store/store.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import { countsAfter, firstDay, reputationClockOf, setReputationClock } from './days-store.ts';
import { type EvaluationContext, updateReputationIn } from './evaluate.ts';
import { dayOf, WINDOW_DAYS, windowBounds } from './rates.ts';
import { sumsOfEach } from './store.ts';

/** So many agents are looked at in one transaction: it is over within milliseconds, and others write in between. */
const BATCH = 200;

/**
 * Looks, once a day has begun, at everybody of whom a day fell out of the window, since that changes rates by itself. Where
 * it stopped, when the process does, it goes on; days on which nobody ran are caught up with, as the present sees them.
 */
export async function advanceDays(context: EvaluationContext & { store: Store }): Promise<void> {
  const { store, clock } = context;
  const known = await store.read(reputationClockOf);
  if (known !== null && known.day >= dayOf(clock.now())) return;
  while ((await store.writeAsService((tx) => advanceBatchIn(tx, context))) === 'more');
}

/** One batch. Of a day that begins, the day that fell out is 30 before. */
async function advanceBatchIn(tx: Transaction, context: EvaluationContext): Promise<'more' | 'all'> {
  const today = dayOf(context.clock.now());
  // Before the first day of all nobody had to be looked at.
  const known = (await reputationClockOf(tx)) ?? { day: (await firstDay(tx)) ?? today, agentSeq: 0 };
  const position = { day: known.day + 1 - WINDOW_DAYS, agentSeq: known.agentSeq };
  const batch = await countsAfter(tx, position, today - WINDOW_DAYS, BATCH);
  // Who has several days in the batch is looked at once: what the rows say of the reputation was read before.
  const subjects = [...new Map(batch.map((row) => [row.agentSeq, row])).values()];
  const agentSeqs = subjects.map(({ agentSeq }) => agentSeq);
  const sums = await sumsOfEach(tx, agentSeqs, windowBounds(today));
  for (const [index, subject] of subjects.entries()) {
    const current = sums[index];
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
