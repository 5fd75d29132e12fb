import { sql } from 'drizzle-orm';
import { agentStanding } from '../../../../db/trust/reputation.ts';
import { statements, type Transaction } from '../../../platform/store/transaction.ts';
import { COUNTED, type Counted, type CountedItem, countDay, OF_AGENT } from './store.ts';

const $ = sql.placeholder;

const query = statements((orm) => ({
  addLost: () =>
    orm
      .update(agentStanding)
      .set({
        lostCount: sql`${agentStanding.lostCount} + 1`,
        lastEventHash: sql`${sql.param($('eventHash'), agentStanding.lastEventHash)}`,
      })
      .where(OF_AGENT)
      .prepare(),
  countRestored: () =>
    orm
      .update(agentStanding)
      .set({
        failureCount: sql`${agentStanding.failureCount} + ${$('failures')}`,
        firstObservedAt: sql`min(coalesce(${agentStanding.firstObservedAt}, ${$('at')}), ${$('at')})`,
        lastObservedAt: sql`max(coalesce(${agentStanding.lastObservedAt}, ${$('at')}), ${$('at')})`,
        evidenceCount: sql`${agentStanding.evidenceCount} + 1`,
        lostCount: sql`${agentStanding.lostCount} - 1`,
        artifactCount: sql`${agentStanding.artifactCount} + ${$('artifacts')}`,
      })
      .where(OF_AGENT)
      .returning(COUNTED)
      .prepare(),
  countDay: () => countDay(orm),
}));

/** Adds to the end of an agent's chain an item that only the log has. It counts for nothing else. */
export function addLostItem(tx: Transaction, agentSeq: number, eventHash: string): Promise<void> {
  return query(tx, (sql) => void sql.addLost.run({ agentSeq, eventHash }));
}

/**
 * Counts an item that only the log had, and that was sent again, on its day. The chain keeps its length.
 * @returns the new counters
 */
export function addRestored(
  tx: Transaction,
  { day, ...item }: Omit<CountedItem, 'eventHash'>,
): Promise<Counted> {
  const { agentSeq, failures } = item;
  return query(tx, (sql) => {
    const counted = sql.countRestored.get({ ...item });
    if (counted === undefined) throw new Error(`agent ${agentSeq} has no counters`);
    sql.countDay.run({ agentSeq, day, successes: 1 - failures, failures });
    return counted;
  });
}
