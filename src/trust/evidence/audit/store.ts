import { and, asc, eq, gt, lte, max, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { agent } from '../../../../db/trust/agents.ts';
import { evidence, evidenceCommit, lostEvidence } from '../../../../db/trust/evidence.ts';
import { agentStanding } from '../../../../db/trust/reputation.ts';
import { bound } from '../../../platform/store/columns.ts';
import { type Snapshot, statements } from '../../../platform/store/transaction.ts';
import type { EvidenceRow } from '../store.ts';

const predecessor = alias(evidence, 'predecessor');
const lostPredecessor = alias(lostEvidence, 'lost_predecessor');
const lostSuccessor = alias(lostEvidence, 'lost_successor');
const successor = alias(evidence, 'successor');

const query = statements((orm) => ({
  newest: () =>
    orm
      .select({ seq: max(evidence.evidenceSeq) })
      .from(evidence)
      .prepare(),
  hasCommit: () =>
    orm
      .select({ evidenceSeq: evidenceCommit.evidenceSeq })
      .from(evidenceCommit)
      .where(
        and(
          eq(evidenceCommit.agentSeq, bound(evidenceCommit.agentSeq, 'agentSeq')),
          eq(evidenceCommit.commitId, bound(evidenceCommit.commitId, 'commitId')),
          eq(evidenceCommit.evidenceSeq, bound(evidenceCommit.evidenceSeq, 'evidenceSeq')),
        ),
      )
      .prepare(),
  /** The items of a range, each with the rows that it is compared with. */
  range: () =>
    orm
      .select({
        item: evidence,
        subjectCommitment: agent.subjectCommitment,
        publicKey: agent.publicKey,
        precedingHash: sql<
          string | null
        >`coalesce(${predecessor.eventHash}, ${lostPredecessor.eventHash})`.mapWith(
          lostPredecessor.eventHash,
        ),
        followingSeq: successor.evidenceSeq,
        followingLost: lostSuccessor.leafSeq,
        countedItems: sql<number | null>`${agentStanding.evidenceCount} + ${agentStanding.lostCount}`,
        countedHash: agentStanding.lastEventHash,
      })
      .from(evidence)
      .leftJoin(agent, eq(agent.agentSeq, evidence.agentSeq))
      .leftJoin(agentStanding, eq(agentStanding.agentSeq, evidence.agentSeq))
      .leftJoin(
        predecessor,
        and(
          eq(predecessor.agentSeq, evidence.agentSeq),
          eq(predecessor.position, sql`${evidence.position} - 1`),
        ),
      )
      .leftJoin(
        lostPredecessor,
        and(
          eq(lostPredecessor.subjectCommitment, agent.subjectCommitment),
          eq(lostPredecessor.position, sql`${evidence.position} - 1`),
        ),
      )
      .leftJoin(
        lostSuccessor,
        and(
          eq(lostSuccessor.subjectCommitment, agent.subjectCommitment),
          eq(lostSuccessor.position, sql`${evidence.position} + 1`),
        ),
      )
      .leftJoin(
        successor,
        and(eq(successor.agentSeq, evidence.agentSeq), eq(successor.position, sql`${evidence.position} + 1`)),
      )
      .where(
        and(
          gt(evidence.evidenceSeq, bound(evidence.evidenceSeq, 'after')),
          lte(evidence.evidenceSeq, bound(evidence.evidenceSeq, 'reach')),
        ),
      )
      .orderBy(asc(evidence.evidenceSeq))
      .prepare(),
}));

/** A stored item with the rows that it is compared with; null where a row is missing. */
export interface StoredEvidence {
  item: EvidenceRow;
  /** The subject commitment and public key of its agent. */
  subjectCommitment: string | null;
  publicKey: string | null;
  /** The event hash of the agent's previous item. */
  precedingHash: string | null;
  /** The number of the agent's next item. */
  followingSeq: number | null;
  /** The number of the agent's next item if only the log has it. */
  followingLost: number | null;
  /** The agent's counters: how long its chain is, and the event hash of the last item. */
  countedItems: number | null;
  countedHash: string | null;
}

/** Returns the items with numbers above `after` up to `reach`, in ascending order. */
export function storedItems(snapshot: Snapshot, after: number, reach: number): Promise<StoredEvidence[]> {
  return query(snapshot, (sql) => sql.range.all({ after, reach }));
}

/** Returns the highest number of an item; 0 if there is none. */
export function newestItem(snapshot: Snapshot): Promise<number> {
  return query(snapshot, (sql) => sql.newest.get()?.seq ?? 0);
}

/** Returns the commits that are missing in the index of an item. @param commits full SHAs */
export function missingCommits(
  snapshot: Snapshot,
  { agentSeq, evidenceSeq }: EvidenceRow,
  commits: readonly string[],
): Promise<string[]> {
  return query(snapshot, (sql) =>
    commits.filter((commitId) => sql.hasCommit.get({ agentSeq, commitId, evidenceSeq }) === undefined),
  );
}
