import { and, asc, desc, eq, gt, lt, lte, max, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { agent } from '../../../db/trust/agents.ts';
import { evidence, evidenceMark } from '../../../db/trust/evidence.ts';
import { agentStanding } from '../../../db/trust/reputation.ts';
import { bound } from '../../platform/store/columns.ts';
import { type Snapshot, statements } from '../../platform/store/transaction.ts';

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

/** Items of an agent that are marked by `mark`, oldest first; `condition` compares in full what the mark stands for. */
const marked = (orm: Orm) =>
  orm
    .select(item)
    .from(evidenceMark)
    // CROSS JOIN keeps SQLite to this order: the few with this mark, and then each of them.
    .crossJoin(evidence)
    .$dynamic();
const byMark = [
  eq(evidenceMark.agentSeq, bound(evidenceMark.agentSeq, 'agentSeq')),
  eq(evidenceMark.mark, bound(evidenceMark.mark, 'mark')),
  eq(evidence.evidenceSeq, evidenceMark.evidenceSeq),
];

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
export const evidenceSql = statements((orm) => ({
  insert: orm
    .insert(evidence)
    .values({
      agentSeq: $('agentSeq'),
      position: $('position'),
      sourceType: $('sourceType'),
      payloadDigest: $('payloadDigest'),
      eventHash: $('eventHash'),
      prevEventHash: $('prevEventHash'),
      payload: $('payload'),
      signature: $('signature'),
      reading: $('reading'),
      outcome: $('outcome'),
      operatorSeq: $('operatorSeq'),
      createdAt: $('createdAt'),
    })
    .returning({ evidenceSeq: evidence.evidenceSeq })
    .prepare(),
  /** `marks`: a JSON list of numbers, since one statement for all of an item's is less than one for each. */
  insertMarks: orm
    .insert(evidenceMark)
    .select(sql`SELECT ${$('agentSeq')}, value, ${$('evidenceSeq')} FROM json_each(${$('marks')}) WHERE true`)
    // Two hashes of one item may begin alike.
    .onConflictDoNothing()
    .prepare(),
  byPayload: marked(orm)
    .where(
      and(
        ...byMark,
        eq(evidence.payloadDigest, bound(evidence.payloadDigest, 'payloadDigest')),
        eq(evidence.sourceType, bound(evidence.sourceType, 'sourceType')),
      ),
    )
    .prepare(),
  byEventHash: marked(orm)
    .where(and(...byMark, eq(evidence.eventHash, bound(evidence.eventHash, 'eventHash'))))
    .prepare(),
  byMark: marked(orm)
    .where(sql`${and(...byMark)} ORDER BY ${asc(evidenceMark.evidenceSeq)} LIMIT +${$('rows')}`)
    .prepare(),
  payload: orm
    .select({ payload: evidence.payload })
    .from(evidence)
    .where(eq(evidence.evidenceSeq, bound(evidence.evidenceSeq, 'evidenceSeq')))
    .prepare(),
  timeline: orm
    .select({
      event_commitment_hash: evidence.eventHash,
      source_type: evidence.sourceType,
      outcome: evidence.outcome,
      created_at: evidence.createdAt,
    })
    .from(evidence)
    .where(newestOf(ofAgent))
    .prepare(),
  newest: orm
    .select({ seq: max(evidence.evidenceSeq) })
    .from(evidence)
    .prepare(),
  hasMark: orm
    .select({ mark: evidenceMark.mark })
    .from(evidenceMark)
    .where(
      and(
        eq(evidenceMark.agentSeq, bound(evidenceMark.agentSeq, 'agentSeq')),
        eq(evidenceMark.mark, bound(evidenceMark.mark, 'mark')),
        eq(evidenceMark.evidenceSeq, bound(evidenceMark.evidenceSeq, 'evidenceSeq')),
      ),
    )
    .prepare(),
  /** Items in a stretch of the table as they are, with what each is held against, where it is there. */
  stretch: orm
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
  page: page(orm, false),
  pageOfType: page(orm, true),
}));

export type EvidenceRow = typeof evidence.$inferSelect;
/** An item without agent and payload. */
export type EvidenceItem = Omit<EvidenceRow, 'agentSeq' | 'payload'>;
