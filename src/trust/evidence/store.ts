import { and, asc, desc, eq, lt, type SQL, sql } from 'drizzle-orm';
import { evidence, evidenceCommit } from '../../../db/trust/evidence.ts';
import { bound, everyColumn } from '../../platform/store/columns.ts';
import { type Snapshot, statements, type Transaction } from '../../platform/store/transaction.ts';
import type { SourceType } from '../../proof/evidence/source-types.ts';
import { decompress } from './compression.ts';

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

const query = statements((orm) => ({
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
  page: () => page(orm, false),
  pageOfType: () => page(orm, true),
}));

export type EvidenceRow = typeof evidence.$inferSelect;
/** An item without agent and payload. */
export type EvidenceItem = Omit<EvidenceRow, 'agentSeq' | 'payload'>;

/** An item that is to be stored; the store numbers it. */
export type NewItem = Omit<EvidenceRow, 'evidenceSeq'>;

/** Stores an item, and of which commits it tells. @param commits full SHAs. @returns its number */
export function insertItem(tx: Transaction, item: NewItem, commits: readonly string[]): Promise<number> {
  return query(tx, (sql) => {
    const { evidenceSeq } = sql.insert.get(item);
    const { agentSeq } = item;
    if (commits.length > 0)
      sql.insertCommits.run({ agentSeq, commits: JSON.stringify(commits), evidenceSeq });
    return evidenceSeq;
  });
}

/** Returns the item in which an agent anchored a payload under a source type; null where it did not. */
export function itemByPayload(
  snapshot: Snapshot,
  agentSeq: number,
  payloadDigest: string,
  sourceType: SourceType,
): Promise<EvidenceItem | null> {
  return query(snapshot, (sql) => sql.byPayload.get({ agentSeq, payloadDigest, sourceType }) ?? null);
}

/** Returns an agent's item with an event hash. */
export function itemByEventHash(
  snapshot: Snapshot,
  agentSeq: number,
  eventHash: string,
): Promise<EvidenceItem | null> {
  return query(snapshot, (sql) => sql.byEventHash.get({ agentSeq, eventHash }) ?? null);
}

/** Returns the oldest of an agent's items whose payload has a commit. @param commitId a full SHA */
export function itemByCommit(
  snapshot: Snapshot,
  agentSeq: number,
  commitId: string,
): Promise<EvidenceItem | null> {
  return query(snapshot, (sql) => sql.byCommit.get({ agentSeq, commitId }) ?? null);
}

/** What anyone may know of an item. */
export interface TimelineItem {
  event_commitment_hash: string;
  source_type: SourceType;
  outcome: EvidenceRow['outcome'];
  created_at: string;
}

/** Returns an agent's newest `rows` items, newest first, as anyone may know them. */
export function newestItems(snapshot: Snapshot, agentSeq: number, rows: number): Promise<TimelineItem[]> {
  return query(snapshot, (sql) => sql.timeline.all({ agentSeq, rows }));
}

/**
 * Returns an agent's newest `rows` items before a position, newest first.
 * @param sourceType the one that is asked for; undefined for all
 */
export function itemsBefore(
  snapshot: Snapshot,
  agentSeq: number,
  sourceType: SourceType | undefined,
  before: number,
  rows: number,
): Promise<EvidenceItem[]> {
  return query(snapshot, (sql) =>
    sourceType === undefined
      ? sql.page.all({ agentSeq, before, rows })
      : sql.pageOfType.all({ agentSeq, before, sourceType, rows }),
  );
}

/**
 * Returns the payloads of items as JSON, by their numbers: in the order of the numbers until they are longer than `mostBytes` together,
 * and no further ones. @throws Error for an item that is not there
 */
export function payloadsOf(
  snapshot: Snapshot,
  evidenceSeqs: readonly number[],
  mostBytes: number,
): Promise<ReadonlyMap<number, string>> {
  return query(snapshot, (sql) => {
    const payloads = new Map<number, string>();
    let bytes = 0;
    for (const evidenceSeq of evidenceSeqs) {
      if (bytes > mostBytes) break;
      const row = sql.payload.get({ evidenceSeq });
      if (row === undefined) throw new Error(`the evidence ${evidenceSeq} is gone`);
      const payload = decompress(row.payload);
      bytes += Buffer.byteLength(payload);
      payloads.set(evidenceSeq, payload);
    }
    return payloads;
  });
}
