import type { Store } from '../../platform/store/store.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import { countsBehind, firstDay, reputationClockOf, setReputationClock } from './days-store.ts';
import { followOutcomesIn, type Telling } from './evaluate.ts';
import { dayOf, WINDOW_DAYS, windowBounds } from './rates.ts';
import { sumsOfEach } from './store.ts';

/** So many agents are looked at in one transaction: it is over within milliseconds, and others write in between. */
const BATCH = 200;

/**
 * Looks, once a day has begun, at everybody of whom a day fell out of the window, since that changes rates by itself. Where
 * it stopped, when the process does, it goes on; days on which nobody ran are caught up with, as the present sees them.
 */
export async function followDays(telling: Telling & { store: Store }): Promise<void> {
  const { store, clock } = telling;
  const known = await store.read(reputationClockOf);
  if (known !== null && known.day >= dayOf(clock.now())) return;
  while ((await store.writeAsService((tx) => followIn(tx, telling))) === 'more');
}

/** One batch. Of a day that begins, the day that fell out is 30 before. */
async function followIn(tx: Transaction, telling: Telling): Promise<'more' | 'all'> {
  const today = dayOf(telling.clock.now());
  // Before the first day of all nobody had to be looked at.
  const known = (await reputationClockOf(tx)) ?? { day: (await firstDay(tx)) ?? today, agentSeq: 0 };
  const place = { day: known.day + 1 - WINDOW_DAYS, agentSeq: known.agentSeq };
  const batch = await countsBehind(tx, place, today - WINDOW_DAYS, BATCH);
  // Who has several days in the batch is looked at once: what the rows say of the reputation was read before.
  const subjects = [...new Map(batch.map((row) => [row.agentSeq, row])).values()];
  const agentSeqs = subjects.map(({ agentSeq }) => agentSeq);
  const sums = await sumsOfEach(tx, agentSeqs, windowBounds(today));
  for (const [index, subject] of subjects.entries()) {
    const present = sums[index];
    if (present !== undefined) await followOutcomesIn(tx, telling, subject, subject.reputation, present);
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
