import { and, asc, desc, eq, gt, lte, max, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { agent } from '../../../../db/trust/agents.ts';
import { agoraEntry } from '../../../../db/trust/agora.ts';
import { bound, everyColumn } from '../../../platform/store/columns.ts';
import { type Snapshot, statements, type Transaction } from '../../../platform/store/transaction.ts';

type Orm = Snapshot['connection']['orm'];

const from = alias(agent, 'from_agent');
const to = alias(agent, 'to_agent');
const preceding = alias(agoraEntry, 'preceding');
const stepBefore = alias(agoraEntry, 'step_before');

/** Entries with their parties, hash and audience of the entry before each one, and the step before it. */
const select = (orm: Orm) =>
  orm
    .select({
      entry: agoraEntry,
      from,
      to,
      prevHash: preceding.entryHash,
      prevAudience: preceding.audience,
      stepBefore,
    })
    .from(agoraEntry)
    .leftJoin(from, eq(from.agentSeq, agoraEntry.fromSeq))
    .leftJoin(to, eq(to.agentSeq, agoraEntry.toSeq))
    .leftJoin(preceding, eq(preceding.entrySeq, sql`${agoraEntry.entrySeq} - 1`))
    .leftJoin(
      stepBefore,
      and(eq(stepBefore.proposalId, agoraEntry.proposalId), eq(stepBefore.step, sql`${agoraEntry.step} - 1`)),
    )
    .$dynamic();

const OF_PROPOSAL = eq(agoraEntry.proposalId, bound(agoraEntry.proposalId, 'proposalId'));

const query = statements((orm) => ({
  ofProposal: () => select(orm).where(OF_PROPOSAL).orderBy(asc(agoraEntry.step)).prepare(),
  lastOfProposal: () =>
    orm.select().from(agoraEntry).where(OF_PROPOSAL).orderBy(desc(agoraEntry.step)).limit(1).prepare(),
  last: () =>
    orm
      .select({ entrySeq: agoraEntry.entrySeq, entryHash: agoraEntry.entryHash })
      .from(agoraEntry)
      .orderBy(desc(agoraEntry.entrySeq))
      .limit(1)
      .prepare(),
  byNonce: () =>
    select(orm)
      .where(
        and(
          eq(agoraEntry.fromSeq, bound(agoraEntry.fromSeq, 'fromSeq')),
          eq(agoraEntry.nonce, bound(agoraEntry.nonce, 'nonce')),
        ),
      )
      .prepare(),
  insert: () => orm.insert(agoraEntry).values(everyColumn(agoraEntry)).prepare(),
  newest: () =>
    orm
      .select({ entrySeq: max(agoraEntry.entrySeq) })
      .from(agoraEntry)
      .prepare(),
  range: () =>
    select(orm)
      .where(
        and(
          gt(agoraEntry.entrySeq, bound(agoraEntry.entrySeq, 'after')),
          lte(agoraEntry.entrySeq, bound(agoraEntry.entrySeq, 'reach')),
        ),
      )
      .orderBy(asc(agoraEntry.entrySeq))
      .prepare(),
}));

export type EntryRow = typeof agoraEntry.$inferSelect;

/** An entry with its parties and what it follows. An agent is null only in a damaged database. */
export type EntryState = Awaited<ReturnType<typeof stepsOf>>[number];

/**
 * Returns the steps of a proposal, at most 32, oldest first; none for an unknown one.
 * @param proposalId `agora_` and 32 hexadecimal characters
 */
export function stepsOf(snapshot: Snapshot, proposalId: string) {
  return query(snapshot, (sql) => sql.ofProposal.all({ proposalId }));
}

/** Returns the newest step of a proposal; null for an unknown one. */
export function lastStepOf(snapshot: Snapshot, proposalId: string): Promise<EntryRow | null> {
  return query(snapshot, (sql) => sql.lastOfProposal.get({ proposalId }) ?? null);
}

/** Returns the step of an agent's request by its nonce; null if the agent took none with it. */
export function stepByNonce(snapshot: Snapshot, fromSeq: number, nonce: string): Promise<EntryState | null> {
  return query(snapshot, (sql) => sql.byNonce.get({ fromSeq, nonce }) ?? null);
}

/** Returns the newest entry of the ledger; null for an empty one. */
export function lastEntry(snapshot: Snapshot): Promise<Pick<EntryRow, 'entrySeq' | 'entryHash'> | null> {
  return query(snapshot, (sql) => sql.last.get() ?? null);
}

/** Appends an entry, whose numbers continue those of the ledger and of its proposal. */
export function appendEntry(tx: Transaction, row: EntryRow): Promise<void> {
  return query(tx, (sql) => void sql.insert.run(row));
}

/** Returns the number of the newest entry; 0 for an empty ledger. */
export function newestEntry(snapshot: Snapshot): Promise<number> {
  return query(snapshot, (sql) => sql.newest.get()?.entrySeq ?? 0);
}

/** Returns the entries with numbers above `after` up to `reach`, in ascending order. */
export function entriesBetween(snapshot: Snapshot, after: number, reach: number): Promise<EntryState[]> {
  return query(snapshot, (sql) => sql.range.all({ after, reach }));
}
