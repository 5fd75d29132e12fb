import { eq, sum } from 'drizzle-orm';
import { agent } from '../../../db/trust/agents.ts';
import { receiptCount } from '../../../db/trust/receipts.ts';
import { bound } from '../../platform/store/columns.ts';
import { type Snapshot, statements } from '../../platform/store/transaction.ts';

/** Queries of operators on tables of other modules. */
const query = statements((orm) => ({
  countReceipts: () =>
    orm
      .select({ receipts: sum(receiptCount.receipts) })
      .from(receiptCount)
      .where(eq(receiptCount.operatorSeq, bound(receiptCount.operatorSeq, 'operatorSeq')))
      .prepare(),
  sponsorOf: () =>
    orm
      .select({ state: agent.state, sponsorSeq: agent.sponsorSeq })
      .from(agent)
      .where(eq(agent.subjectCommitment, bound(agent.subjectCommitment, 'subjectCommitment')))
      .prepare(),
}));

/** Counts the receipts that an operator has issued. */
export function countReceipts(snapshot: Snapshot, operatorSeq: number): Promise<number> {
  return query(snapshot, (sql) => Number(sql.countReceipts.get({ operatorSeq })?.receipts ?? 0));
}

/** Returns the state and the sponsor of an agent; null for one that never enrolled. */
export function sponsorOf(
  snapshot: Snapshot,
  subjectCommitment: string,
): Promise<Pick<typeof agent.$inferSelect, 'state' | 'sponsorSeq'> | null> {
  return query(snapshot, (sql) => sql.sponsorOf.get({ subjectCommitment }) ?? null);
}
