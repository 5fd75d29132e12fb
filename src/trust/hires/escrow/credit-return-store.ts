import { asc, eq, gt, sql } from 'drizzle-orm';
import { agent } from '../../../../db/trust/agents.ts';
import { creditReturn, escrow } from '../../../../db/trust/escrow.ts';
import { bound } from '../../../platform/store/columns.ts';
import { type Snapshot, statements, type Transaction } from '../../../platform/store/transaction.ts';

const $ = sql.placeholder;

const query = statements((orm) => ({
  after: () =>
    orm
      .select({ agentSeq: creditReturn.agentSeq })
      .from(creditReturn)
      .where(gt(creditReturn.agentSeq, bound(creditReturn.agentSeq, 'after')))
      .orderBy(asc(creditReturn.agentSeq))
      .limit($('limit'))
      .prepare(),
  remove: () =>
    orm
      .delete(creditReturn)
      .where(eq(creditReturn.agentSeq, bound(creditReturn.agentSeq, 'agentSeq')))
      .prepare(),
  agent: () =>
    orm
      .select({
        agentSeq: agent.agentSeq,
        subjectCommitment: agent.subjectCommitment,
        sponsorSeq: agent.sponsorSeq,
        state: agent.state,
        isOpenWorker: sql`EXISTS (SELECT 1 FROM ${escrow}
          WHERE ${escrow.workerSeq} = ${agent.agentSeq} AND ${escrow.status} IN ('HELD', 'DELIVERED'))`.mapWith(
          Boolean,
        ),
      })
      .from(agent)
      .where(eq(agent.agentSeq, bound(agent.agentSeq, 'agentSeq')))
      .prepare(),
}));

/** Returns the first `limit` numbers of agents in the queue of returns after a number. */
export function creditReturnsAfter(snapshot: Snapshot, after: number, limit: number): Promise<number[]> {
  return query(snapshot, (sql) => sql.after.all({ after, limit }).map(({ agentSeq }) => agentSeq));
}

/** Removes an agent from the queue of returns. */
export function removeCreditReturn(tx: Transaction, agentSeq: number): Promise<void> {
  return query(tx, (sql) => void sql.remove.run({ agentSeq }));
}

/** An agent in the queue of returns. */
export interface ReturningAgent {
  agentSeq: number;
  subjectCommitment: string;
  sponsorSeq: number | null;
  state: (typeof agent.$inferSelect)['state'];
  /** Whether it may still be paid for a task. */
  isOpenWorker: boolean;
}

/** Returns an agent by its number; null if there is none. */
export function returningAgent(snapshot: Snapshot, agentSeq: number): Promise<ReturningAgent | null> {
  return query(snapshot, (sql) => sql.agent.get({ agentSeq }) ?? null);
}
