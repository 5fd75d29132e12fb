import { and, asc, eq, gt, type SQL, sql } from 'drizzle-orm';
import { agent } from '../../../../db/trust/agents.ts';
import { escrow, escrowRefund } from '../../../../db/trust/escrow.ts';
import { bound } from '../../../platform/store/columns.ts';
import { type Snapshot, statements, type Transaction } from '../../../platform/store/transaction.ts';

type Orm = Snapshot['connection']['orm'];
const $ = sql.placeholder;
const HELD = sql`${escrow.status} = 'HELD'`;
const THIS = eq(escrowRefund.refundSeq, bound(escrowRefund.refundSeq, 'refundSeq'));

/** The first `limit` numbers of HELD escrow of one side after a number. */
const heldBy = (orm: Orm, party: SQL) =>
  orm
    .select({ escrowSeq: escrow.escrowSeq })
    .from(escrow)
    .where(
      sql`${and(party, HELD, gt(escrow.escrowSeq, bound(escrow.escrowSeq, 'after')))}
        ORDER BY ${escrow.escrowSeq} LIMIT +${$('limit')}`,
    )
    .prepare();

const query = statements((orm) => ({
  first: () =>
    orm
      .select()
      .from(escrowRefund)
      .where(gt(escrowRefund.refundSeq, bound(escrowRefund.refundSeq, 'after')))
      .orderBy(asc(escrowRefund.refundSeq))
      .limit(1)
      .prepare(),
  advance: () =>
    orm
      .update(escrowRefund)
      .set({ position: sql`${$('position')}` })
      .where(THIS)
      .prepare(),
  remove: () => orm.delete(escrowRefund).where(THIS).prepare(),
  agentsOf: () =>
    orm
      .select({ agentSeq: agent.agentSeq })
      .from(agent)
      .where(
        sql`${and(
          eq(agent.sponsorSeq, bound(agent.sponsorSeq, 'operatorSeq')),
          gt(agent.agentSeq, bound(agent.agentSeq, 'position')),
        )} ORDER BY ${agent.agentSeq} LIMIT +${$('limit')}`,
      )
      .prepare(),
  heldByHirer: () => heldBy(orm, eq(escrow.hirerSeq, bound(escrow.hirerSeq, 'agentSeq'))),
  heldByWorker: () => heldBy(orm, eq(escrow.workerSeq, bound(escrow.workerSeq, 'agentSeq'))),
}));

/** An agent or an operator whose HELD escrow is refunded. */
export type RefundRow = typeof escrowRefund.$inferSelect;

/**
 * Returns the party that was queued first after another; null if there is none.
 * @param after its number, or 0
 */
export function firstRefund(snapshot: Snapshot, after: number): Promise<RefundRow | null> {
  return query(snapshot, (sql) => sql.first.get({ after }) ?? null);
}

/** Notes the last agent of an operator that is done. */
export function advanceRefund(tx: Transaction, refundSeq: number, position: number): Promise<void> {
  return query(tx, (sql) => void sql.advance.run({ refundSeq, position }));
}

/** Removes a party that is done. */
export function removeRefund(tx: Transaction, refundSeq: number): Promise<void> {
  return query(tx, (sql) => void sql.remove.run({ refundSeq }));
}

/** Returns the numbers of the first `limit` agents of a sponsor after a number. */
export function sponsoredAgentsAfter(
  snapshot: Snapshot,
  operatorSeq: number,
  position: number,
  limit: number,
): Promise<number[]> {
  return query(snapshot, (sql) =>
    sql.agentsOf.all({ operatorSeq, position, limit }).map(({ agentSeq }) => agentSeq),
  );
}

/** Returns the first `limit` numbers of an agent's HELD escrow after a number, on either side. */
export function heldAfter(
  snapshot: Snapshot,
  agentSeq: number,
  after: number,
  limit: number,
): Promise<number[]> {
  const values = { agentSeq, after, limit };
  return query(snapshot, (sql) =>
    [...sql.heldByHirer.all(values), ...sql.heldByWorker.all(values)]
      .map(({ escrowSeq }) => escrowSeq)
      .sort((one, other) => one - other)
      .slice(0, limit),
  );
}
