import { and, asc, desc, eq, gt, lt, lte, max, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { agent } from '../../../db/trust/agents.ts';
import { evidence, evidenceCommit } from '../../../db/trust/evidence.ts';
import { agentStanding } from '../../../db/trust/reputation.ts';
import { bound, everyColumn } from '../../platform/store/columns.ts';
import { type Snapshot, syncStatements } from '../../platform/store/transaction.ts';

type Orm = Snapshot['connection']['orm'];
const $ = sql.placeholder;

/** An item without its payload, which only those who may see it pay for. */
const item = {
  evidenceSeq: evidence.evidenceSeq,
  position: evidence.position,
  sourceType: evidence.sourceType,
  payloadDigest: evidence.payloadDigest,
  eventHash: evidence.eventHash,
  prevEventHash: evidence.prevEventHash,
  signature: evidence.signature,
  reading: evidence.reading,
  outcome: evidence.outcome,
  operatorSeq: evidence.operatorSeq,
  createdAt: evidence.createdAt,
};

const ofAgent = eq(evidence.agentSeq, bound(evidence.agentSeq, 'agentSeq'));

/** The newest `rows` of them. A LIMIT of drizzle's is a parameter, for which SQLite prepares the statement anew each time. */
const newestOf = (condition: SQL | undefined) =>
  sql`${condition} ORDER BY ${desc(evidence.position)} LIMIT +${$('rows')}`;

const page = (orm: Orm, ofType: boolean) =>
  orm
    .select(item)
    .from(evidence)
    .where(
      newestOf(
        and(
          ofAgent,
          ofType ? eq(evidence.sourceType, bound(evidence.sourceType, 'sourceType')) : undefined,
          lt(evidence.position, bound(evidence.position, 'before')),
        ),
      ),
    )
    .prepare();

const predecessor = alias(evidence, 'predecessor');
const successor = alias(evidence, 'successor');

/** The SQL of evidence. */
export const evidenceSql = syncStatements((orm) => ({
  insert: () =>
    orm
      .insert(evidence)
      .values(everyColumn(evidence, ['evidenceSeq']))
      .returning({ evidenceSeq: evidence.evidenceSeq })
      .prepare(),
  /** `commits`: a JSON list of SHAs, since one statement for all of an item's is less than one for each. */
  insertCommits: () =>
    orm
      .insert(evidenceCommit)
      .select(sql`SELECT ${$('agentSeq')}, unhex(value), ${$('evidenceSeq')} FROM json_each(${$('commits')})`)
      .prepare(),
  byPayload: () =>
    orm
      .select(item)
      .from(evidence)
      .where(
        and(
          ofAgent,
          eq(evidence.payloadDigest, bound(evidence.payloadDigest, 'payloadDigest')),
          // At most one of each type has this digest.
          eq(sql`+${evidence.sourceType}`, bound(evidence.sourceType, 'sourceType')),
        ),
      )
      .prepare(),
  byEventHash: () =>
    orm
      .select(item)
      .from(evidence)
      .where(and(ofAgent, eq(evidence.eventHash, bound(evidence.eventHash, 'eventHash'))))
      .prepare(),
  /** The oldest item of an agent that has a commit: the index has them in this order. */
  byCommit: () =>
    orm
      .select(item)
      .from(evidenceCommit)
      .crossJoin(evidence)
      .where(
        sql`${and(
          eq(evidenceCommit.agentSeq, bound(evidenceCommit.agentSeq, 'agentSeq')),
          eq(evidenceCommit.commitId, bound(evidenceCommit.commitId, 'commitId')),
          eq(evidence.evidenceSeq, evidenceCommit.evidenceSeq),
        )} ORDER BY ${asc(evidenceCommit.evidenceSeq)} LIMIT 1`,
      )
      .prepare(),
  payload: () =>
    orm
      .select({ payload: evidence.payload })
      .from(evidence)
      .where(eq(evidence.evidenceSeq, bound(evidence.evidenceSeq, 'evidenceSeq')))
      .prepare(),
  timeline: () =>
    orm
      .select({
        event_commitment_hash: evidence.eventHash,
        source_type: evidence.sourceType,
        outcome: evidence.outcome,
        created_at: evidence.createdAt,
      })
      .from(evidence)
      .where(newestOf(ofAgent))
      .prepare(),
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
  page: () => page(orm, false),
  pageOfType: () => page(orm, true),
}));

export type EvidenceRow = typeof evidence.$inferSelect;
/** An item without agent and payload. */
export type EvidenceItem = Omit<EvidenceRow, 'agentSeq' | 'payload'>;
