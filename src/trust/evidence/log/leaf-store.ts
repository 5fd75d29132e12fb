import { and, asc, desc, eq, gte, lt, sql } from 'drizzle-orm';
import { agent } from '../../../../db/trust/agents.ts';
import { evidence, evidenceLeaf, lostEvidence } from '../../../../db/trust/evidence.ts';
import { bound, everyColumn } from '../../../platform/store/columns.ts';
import { type Snapshot, statements, type Transaction } from '../../../platform/store/transaction.ts';

type Orm = Snapshot['connection']['orm'];

/** The columns of a leaf, of its item and of the item's agent, from which its entry is computed. */
export const LEAF_COLUMNS = {
  leafSeq: evidenceLeaf.leafSeq,
  leafHash: evidenceLeaf.leafHash,
  entry: evidenceLeaf.entry,
  item: {
    position: evidence.position,
    sourceType: evidence.sourceType,
    payloadDigest: evidence.payloadDigest,
    eventHash: evidence.eventHash,
    prevEventHash: evidence.prevEventHash,
    createdAt: evidence.createdAt,
  },
  subjectCommitment: agent.subjectCommitment,
};

const selectLeaf = (orm: Orm) =>
  orm
    .select(LEAF_COLUMNS)
    .from(evidenceLeaf)
    .leftJoin(evidence, eq(evidence.evidenceSeq, evidenceLeaf.leafSeq))
    .leftJoin(agent, eq(agent.agentSeq, evidence.agentSeq));

const query = statements((orm) => ({
  /** The leaves with from <= leaf_seq < to, in order. */
  range: () =>
    selectLeaf(orm)
      .where(
        and(
          gte(evidenceLeaf.leafSeq, bound(evidenceLeaf.leafSeq, 'from')),
          lt(evidenceLeaf.leafSeq, bound(evidenceLeaf.leafSeq, 'to')),
        ),
      )
      .orderBy(asc(evidenceLeaf.leafSeq))
      .prepare(),
  byNumber: () =>
    selectLeaf(orm)
      .where(eq(evidenceLeaf.leafSeq, bound(evidenceLeaf.leafSeq, 'leafSeq')))
      .prepare(),
  numberOf: () =>
    orm
      .select({ leafSeq: evidence.evidenceSeq })
      .from(agent)
      .innerJoin(evidence, eq(evidence.agentSeq, agent.agentSeq))
      .where(
        and(
          eq(agent.subjectCommitment, bound(agent.subjectCommitment, 'subjectCommitment')),
          eq(evidence.eventHash, bound(evidence.eventHash, 'eventHash')),
        ),
      )
      .prepare(),
  numberOfLost: () =>
    orm
      .select({ leafSeq: lostEvidence.leafSeq })
      .from(lostEvidence)
      .where(
        and(
          eq(lostEvidence.eventHash, bound(lostEvidence.eventHash, 'eventHash')),
          eq(
            sql`+${lostEvidence.subjectCommitment}`,
            bound(lostEvidence.subjectCommitment, 'subjectCommitment'),
          ),
        ),
      )
      .prepare(),
  lostByPayload: () =>
    orm
      .select()
      .from(lostEvidence)
      .where(
        and(
          eq(lostEvidence.payloadDigest, bound(lostEvidence.payloadDigest, 'payloadDigest')),
          eq(lostEvidence.subjectCommitment, bound(lostEvidence.subjectCommitment, 'subjectCommitment')),
          eq(sql`+${lostEvidence.sourceType}`, bound(lostEvidence.sourceType, 'sourceType')),
        ),
      )
      .prepare(),
  /** The newest lost item of an agent. */
  lostHead: () =>
    orm
      .select({ length: lostEvidence.position, eventHash: lostEvidence.eventHash })
      .from(lostEvidence)
      .where(eq(lostEvidence.subjectCommitment, bound(lostEvidence.subjectCommitment, 'subjectCommitment')))
      .orderBy(desc(lostEvidence.position))
      .limit(1)
      .prepare(),
  insertLostLeaf: () =>
    orm
      .insert(evidenceLeaf)
      .values(everyColumn(evidenceLeaf, ['leafSeq']))
      .returning({ leafSeq: evidenceLeaf.leafSeq })
      .prepare(),
  insertLost: () => orm.insert(lostEvidence).values(everyColumn(lostEvidence)).prepare(),
}));

/** A leaf with its item and the item's agent, both null where the database lacks them. */
export type ItemLeaf = ReturnType<ReturnType<typeof selectLeaf>['all']>[number];

export type LostRow = typeof lostEvidence.$inferSelect;

/** Returns the leaves with from <= leaf_seq < to, in order; fewer if the log is shorter. */
export function leavesBetween(snapshot: Snapshot, from: number, to: number): Promise<ItemLeaf[]> {
  return query(snapshot, (sql) => sql.range.all({ from, to }));
}

/** Returns the leaf of an agent's item with an event hash; null if there is none. */
export function leafOfEvent(
  snapshot: Snapshot,
  subjectCommitment: string,
  eventHash: string,
): Promise<ItemLeaf | null> {
  return query(snapshot, (sql) => {
    const item = { subjectCommitment, eventHash };
    const key = sql.numberOf.get(item) ?? sql.numberOfLost.get(item);
    return key === undefined ? null : (sql.byNumber.get(key) ?? null);
  });
}

/**
 * Returns the length of the chain of an agent that the database lacks, and the event hash of its last item;
 * null for an empty chain.
 */
export function lostHeadOf(
  snapshot: Snapshot,
  subjectCommitment: string,
): Promise<{ length: number; eventHash: string | null }> {
  return query(snapshot, (sql) => sql.lostHead.get({ subjectCommitment }) ?? { length: 0, eventHash: null });
}

/** Returns an agent's item that only the log has, or had, by its payload and type; null if there is none. */
export function lostItemByPayload(
  snapshot: Snapshot,
  item: Pick<LostRow, 'subjectCommitment' | 'payloadDigest' | 'sourceType'>,
): Promise<LostRow | null> {
  return query(snapshot, (sql) => sql.lostByPayload.get({ ...item }) ?? null);
}

/**
 * Stores a leaf whose item the database lacks, with what its entry says of the item.
 * @returns its leaf_seq
 */
export function insertLostItem(
  tx: Transaction,
  leaf: { leafHash: Uint8Array; entry: string },
  item: Omit<LostRow, 'leafSeq'>,
): Promise<number> {
  return query(tx, (sql) => {
    const { leafSeq } = sql.insertLostLeaf.get(leaf);
    sql.insertLost.run({ leafSeq, ...item });
    return leafSeq;
  });
}
