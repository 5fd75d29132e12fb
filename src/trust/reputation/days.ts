import type { Transaction } from '../../platform/store/transaction.ts';
import type { Trust } from '../context.ts';
import { evaluateIn } from './evaluate.ts';
import { dayOf, WINDOW_DAYS } from './rates.ts';
import { reputationSql } from './store.ts';

/** So many agents are looked at in one transaction: it is over within milliseconds, and others write in between. */
const BATCH = 200;

/**
 * Looks, once a day has begun, at everybody of whom a day fell out of the window, since that changes rates by itself. Where
 * it stopped, when the process does, it goes on; days on which nobody ran are caught up with, as the present sees them.
 */
export async function followDays(trust: Trust): Promise<void> {
  const { store, clock } = trust;
  const known = await store.read((snapshot) => reputationSql(snapshot).clock.get());
  if (known !== undefined && known.day >= dayOf(clock.now())) return;
  while ((await store.writeAsService((tx) => followIn(tx, trust))) === 'more');
}

/** One batch. Of a day that begins, the day that fell out is 30 before. */
function followIn(tx: Transaction, trust: Trust): 'more' | 'all' {
  const sql = reputationSql(tx);
  const today = dayOf(trust.clock.now());
  // Before the first day of all nobody had to be looked at.
  const known = sql.clock.get() ?? { day: sql.firstDay.get()?.day ?? today, agentSeq: 0 };
  const batch = sql.fallenOut.all({
    day: known.day + 1 - WINDOW_DAYS,
    agentSeq: known.agentSeq,
    to: today - WINDOW_DAYS,
    rows: BATCH,
  });
  // Who has several days in the batch is looked at once: what the rows say of the reputation was read before.
  const subjects = new Map(batch.map((row) => [row.agentSeq, row]));
  for (const subject of subjects.values()) evaluateIn(tx, trust, subject, subject.reputation);
  const last = batch.length < BATCH ? undefined : batch.at(-1);
  sql.setClock.run(
    last === undefined
      ? { day: today, agentSeq: 0 }
      : { day: last.day - 1 + WINDOW_DAYS, agentSeq: last.agentSeq },
  );
  return last === undefined ? 'all' : 'more';
}
