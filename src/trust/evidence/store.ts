import { and, asc, desc, eq, lt, type SQL, sql } from 'drizzle-orm';
import { evidence, evidenceCommit, evidenceLeaf } from '../../../db/trust/evidence.ts';
import { bound, everyColumn } from '../../platform/store/columns.ts';
import { type Snapshot, statements, type Transaction } from '../../platform/store/transaction.ts';
import type { SourceType } from '../../proof/evidence/source-types.ts';
import { decompress } from './compression.ts';

type Orm = Snapshot['connection']['orm'];
const $ = sql.placeholder;

/** The columns of an item without its payload, which is decompressed only for callers that may see it. */
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

/**
 * The newest `limit` items. Drizzle would bind LIMIT as a parameter, and SQLite would prepare the statement
 * again each time.
 */
const newestOf = (condition: SQL | undefined) =>
  sql`${condition} ORDER BY ${desc(evidence.position)} LIMIT +${$('limit')}`;

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
  insert: () => orm.insert(evidence).values(everyColumn(evidence)).prepare(),
  insertLeaf: () =>
    orm
      .insert(evidenceLeaf)
      .values(everyColumn(evidenceLeaf, ['leafSeq'], { entry: null }))
      .returning({ leafSeq: evidenceLeaf.leafSeq })
      .prepare(),
  /**
   * `commits` is a JSON array of SHAs: one statement for all commits of an item is faster than one for each.
   */
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
          // At most one item of each type has this digest.
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
  /** The oldest item of an agent that contains a commit; the index has this order. */
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

/** An item to insert. It gets the number of its leaf. */
export type NewItem = Omit<EvidenceRow, 'evidenceSeq'>;

/**
 * Inserts a leaf of the log, its item, and the index of the item's commits.
 * @param commits full SHAs
 * @returns the leaf_seq
 */
export function insertLoggedItem(
  tx: Transaction,
  leafHash: Uint8Array,
  item: NewItem,
  commits: readonly string[],
): Promise<number> {
  return query(tx, (sql) => {
    const { leafSeq: evidenceSeq } = sql.insertLeaf.get({ leafHash });
    insert(sql, { ...item, evidenceSeq }, commits);
    return evidenceSeq;
  });
}

/** Inserts an item that only the log had, with the number of its leaf. */
export function insertRestoredItem(
  tx: Transaction,
  item: EvidenceRow,
  commits: readonly string[],
): Promise<void> {
  return query(tx, (sql) => insert(sql, item, commits));
}

type Statements = Parameters<Parameters<typeof query>[1]>[0];

function insert(sql: Statements, item: EvidenceRow, commits: readonly string[]): void {
  const { agentSeq, evidenceSeq } = item;
  sql.insert.run({ ...item });
  if (commits.length > 0) sql.insertCommits.run({ agentSeq, commits: JSON.stringify(commits), evidenceSeq });
}

/** Returns the item in which an agent anchored a payload under a source type; null if there is none. */
export function itemByPayload(
  snapshot: Snapshot,
  agentSeq: number,
  payloadDigest: string,
  sourceType: SourceType,
): Promise<EvidenceItem | null> {
  return query(snapshot, (sql) => sql.byPayload.get({ agentSeq, payloadDigest, sourceType }) ?? null);
}

/** Returns an agent's item with an event hash; null if there is none. */
export function itemByEventHash(
  snapshot: Snapshot,
  agentSeq: number,
  eventHash: string,
): Promise<EvidenceItem | null> {
  return query(snapshot, (sql) => sql.byEventHash.get({ agentSeq, eventHash }) ?? null);
}

/**
 * Returns an agent's oldest item whose payload contains a commit; null if there is none.
 * @param commitId a full SHA
 */
export function itemByCommit(
  snapshot: Snapshot,
  agentSeq: number,
  commitId: string,
): Promise<EvidenceItem | null> {
  return query(snapshot, (sql) => sql.byCommit.get({ agentSeq, commitId }) ?? null);
}

/** The public view of an item. */
export type TimelineItem = {
  event_commitment_hash: string;
  source_type: SourceType;
  outcome: EvidenceRow['outcome'];
  created_at: string;
};

/** Returns the public view of an agent's newest `limit` items, newest first. */
export function newestItems(snapshot: Snapshot, agentSeq: number, limit: number): Promise<TimelineItem[]> {
  return query(snapshot, (sql) => sql.timeline.all({ agentSeq, limit }));
}

/**
 * Returns an agent's newest `limit` items before a position, newest first.
 * @param sourceType undefined for all types
 */
export function itemsBefore(
  snapshot: Snapshot,
  agentSeq: number,
  sourceType: SourceType | undefined,
  before: number,
  limit: number,
): Promise<EvidenceItem[]> {
  return query(snapshot, (sql) =>
    sourceType === undefined
      ? sql.page.all({ agentSeq, before, limit })
      : sql.pageOfType.all({ agentSeq, before, sourceType, limit }),
  );
}

/**
 * Returns the payloads of items as JSON, by evidence_seq. Reads them in the given order until they exceed
 * `maxBytes` together.
 * @throws Error for an item that does not exist
 */
export function payloadsOf(
  snapshot: Snapshot,
  evidenceSeqs: readonly number[],
  maxBytes: number,
): Promise<ReadonlyMap<number, string>> {
  return query(snapshot, (sql) => {
    const payloads = new Map<number, string>();
    let bytes = 0;
    for (const evidenceSeq of evidenceSeqs) {
      if (bytes > maxBytes) break;
      const row = sql.payload.get({ evidenceSeq });
      if (row === undefined) throw new Error(`the item of evidence ${evidenceSeq} does not exist`);
      const payload = decompress(row.payload);
      bytes += Buffer.byteLength(payload);
      payloads.set(evidenceSeq, payload);
    }
    return payloads;
  });
}
