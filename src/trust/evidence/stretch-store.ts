import { and, asc, eq, gt, lte, max, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { agent } from '../../../db/trust/agents.ts';
import { evidence, evidenceCommit } from '../../../db/trust/evidence.ts';
import { agentStanding } from '../../../db/trust/reputation.ts';
import { bound } from '../../platform/store/columns.ts';
import { syncStatements } from '../../platform/store/transaction.ts';

const predecessor = alias(evidence, 'predecessor');
const successor = alias(evidence, 'successor');

/** The SQL of what the audit reads of evidence. */
export const stretchSql = syncStatements((orm) => ({
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
  /** Items in a stretch of the table as they are, with what each is held against, where it is there. */
  stretch: () =>
    orm
      .select({
        item: evidence,
        subjectCommitment: agent.subjectCommitment,
        publicKey: agent.publicKey,
        precedingHash: predecessor.eventHash,
        followingSeq: successor.evidenceSeq,
        countedItems: agentStanding.evidenceCount,
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
