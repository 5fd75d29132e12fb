import { and, count, eq, getTableColumns, sql } from 'drizzle-orm';
import {
  datacenterCluster,
  datacenterDay,
  datacenterEvidence,
  datacenterInstance,
} from '../../../db/trust/datacenter.ts';
import type { TelemetryClass, TelemetryEvent } from '../../../db/trust/datacenter-enums.ts';
import { bound, everyColumn } from '../../platform/store/columns.ts';
import { type Snapshot, statements, type Transaction } from '../../platform/store/transaction.ts';

type Orm = Snapshot['connection']['orm'];

const INSTANCE = eq(datacenterEvidence.instanceSeq, bound(datacenterEvidence.instanceSeq, 'instanceSeq'));

/**
 * The first item of an instance that ends after `start`. Items that match do not overlap each other, so if
 * any overlaps a window from `start`, this one does. A partial index needs the condition as SQL text.
 */
const firstAfter = (orm: Orm, condition: ReturnType<typeof sql>) =>
  orm
    .select({
      windowStart: datacenterEvidence.windowStart,
      receiptSeq: datacenterEvidence.receiptSeq,
    })
    .from(datacenterEvidence)
    .where(
      sql`${and(
        condition,
        INSTANCE,
        sql`${datacenterEvidence.windowEnd} > ${bound(datacenterEvidence.windowEnd, 'start')}`,
      )} ORDER BY ${datacenterEvidence.windowEnd} LIMIT 1`,
    )
    .prepare();

/** The start of the first item of an instance and class that counts and ends after `start`; null for none. */
const firstCounted = (
  flag: typeof datacenterEvidence.countsEnergy | typeof datacenterEvidence.countsThermal,
) =>
  sql<
    number | null
  >`(SELECT ${datacenterEvidence.windowStart} FROM ${datacenterEvidence} WHERE ${flag} = 1 AND ${INSTANCE}
    AND ${eq(datacenterEvidence.class, bound(datacenterEvidence.class, 'class'))}
    AND ${datacenterEvidence.windowEnd} > ${bound(datacenterEvidence.windowEnd, 'start')}
    ORDER BY ${datacenterEvidence.windowEnd} LIMIT 1)`;

/** The sums that can become large. */
const LARGEST = sql<number>`max(${sql.join(
  [
    datacenterDay.facilityMwh,
    datacenterDay.itMwh,
    datacenterDay.waterMl,
    datacenterDay.renewableMwh,
    datacenterDay.reusedMwh,
    datacenterDay.co2Mg,
    datacenterDay.powerMwh,
    datacenterDay.ratedNameplateMwh,
    datacenterDay.savedMwh,
    datacenterDay.avoidedG,
    sql`abs(${datacenterDay.inletMcS})`,
    datacenterDay.thermalMs,
  ],
  sql`, `,
)})`;

const { payload: _, ...rowColumns } = getTableColumns(datacenterEvidence);

/**
 * Items with the names of cluster and instance, in the order of a list. SQLite would prepare again each time
 * for a LIMIT that drizzle binds.
 */
const listed = (orm: Orm, condition: ReturnType<typeof sql>) =>
  orm
    .select({
      ...rowColumns,
      clusterId: datacenterCluster.clusterId,
      instanceId: datacenterInstance.instanceId,
    })
    .from(datacenterEvidence)
    .innerJoin(datacenterCluster, eq(datacenterCluster.clusterSeq, datacenterEvidence.clusterSeq))
    .innerJoin(datacenterInstance, eq(datacenterInstance.instanceSeq, datacenterEvidence.instanceSeq))
    .where(sql`${condition} LIMIT +${sql.placeholder('limit')}`)
    .prepare();

const query = statements((orm) => ({
  newest: () =>
    listed(
      orm,
      sql`${datacenterEvidence.receiptSeq} < ${bound(datacenterEvidence.receiptSeq, 'receiptSeq')}
        ORDER BY ${datacenterEvidence.receiptSeq} DESC`,
    ),
  newestOf: () =>
    listed(
      orm,
      sql`${eq(datacenterEvidence.clusterSeq, bound(datacenterEvidence.clusterSeq, 'clusterSeq'))}
        AND ${datacenterEvidence.receiptSeq} < ${bound(datacenterEvidence.receiptSeq, 'receiptSeq')}
        ORDER BY ${datacenterEvidence.receiptSeq} DESC`,
    ),
  cluster: () =>
    orm
      .select()
      .from(datacenterCluster)
      .where(eq(datacenterCluster.clusterId, bound(datacenterCluster.clusterId, 'clusterId')))
      .prepare(),
  clustersOf: () =>
    orm
      .select({ clusters: count() })
      .from(datacenterCluster)
      .where(eq(datacenterCluster.operatorSeq, bound(datacenterCluster.operatorSeq, 'operatorSeq')))
      .prepare(),
  instance: () =>
    orm
      .select({ instanceSeq: datacenterInstance.instanceSeq })
      .from(datacenterInstance)
      .where(
        and(
          eq(datacenterInstance.clusterSeq, bound(datacenterInstance.clusterSeq, 'clusterSeq')),
          eq(datacenterInstance.instanceId, bound(datacenterInstance.instanceId, 'instanceId')),
        ),
      )
      .prepare(),
  ofType: () =>
    firstAfter(
      orm,
      sql`${eq(datacenterEvidence.eventType, bound(datacenterEvidence.eventType, 'eventType'))}`,
    ),
  /**
   * The starts of the first items that count and end after a time, in one statement, since both are needed.
   */
  counted: () =>
    orm
      .select({
        energy: firstCounted(datacenterEvidence.countsEnergy),
        thermal: firstCounted(datacenterEvidence.countsThermal),
      })
      .from(sql`(SELECT 1)`)
      .prepare(),
  bySeq: () =>
    orm
      .select(rowColumns)
      .from(datacenterEvidence)
      .where(eq(datacenterEvidence.receiptSeq, bound(datacenterEvidence.receiptSeq, 'receiptSeq')))
      .prepare(),
  largestSum: () =>
    orm
      .select({ sum: LARGEST })
      .from(datacenterDay)
      .where(
        and(
          eq(datacenterDay.clusterSeq, bound(datacenterDay.clusterSeq, 'clusterSeq')),
          eq(datacenterDay.class, bound(datacenterDay.class, 'class')),
          eq(datacenterDay.day, bound(datacenterDay.day, 'day')),
        ),
      )
      .prepare(),
  insertCluster: () =>
    orm
      .insert(datacenterCluster)
      .values(everyColumn(datacenterCluster, ['clusterSeq']))
      .returning({ clusterSeq: datacenterCluster.clusterSeq })
      .prepare(),
  insertInstance: () =>
    orm
      .insert(datacenterInstance)
      .values(everyColumn(datacenterInstance, ['instanceSeq']))
      .returning({ instanceSeq: datacenterInstance.instanceSeq })
      .prepare(),
  insert: () => orm.insert(datacenterEvidence).values(everyColumn(datacenterEvidence)).prepare(),
}));

export type ClusterRow = typeof datacenterCluster.$inferSelect;
export type EvidenceRow = typeof datacenterEvidence.$inferSelect;
/** An item without its body. */
export type EvidenceItem = Omit<EvidenceRow, 'payload'>;

/** Returns a cluster; null for one without telemetry. */
export function clusterById(snapshot: Snapshot, clusterId: string): Promise<ClusterRow | null> {
  return query(snapshot, (sql) => sql.cluster.get({ clusterId }) ?? null);
}

/** Returns the number of clusters that an operator owns. */
export function clustersOwned(snapshot: Snapshot, operatorSeq: number): Promise<number> {
  return query(snapshot, (sql) => sql.clustersOf.get({ operatorSeq })?.clusters ?? 0);
}

/** Returns the number of an instance; null for one without telemetry. */
export function instanceOf(
  snapshot: Snapshot,
  clusterSeq: number,
  instanceId: string,
): Promise<number | null> {
  return query(snapshot, (sql) => sql.instance.get({ clusterSeq, instanceId })?.instanceSeq ?? null);
}

/** A window of an instance, in milliseconds since 1970. */
interface InstanceWindow {
  instanceSeq: number;
  start: number;
  end: number;
}

/** Returns the first item of an instance and event type whose window overlaps another; null if none does. */
export function overlappingItem(
  snapshot: Snapshot,
  { instanceSeq, start, end }: InstanceWindow,
  eventType: TelemetryEvent,
): Promise<EvidenceItem | null> {
  return query(snapshot, (sql) => {
    const first = sql.ofType.get({ instanceSeq, eventType, start });
    if (first === undefined || first.windowStart >= end) return null;
    return sql.bySeq.get({ receiptSeq: first.receiptSeq }) ?? null;
  });
}

/** Returns which values of an instance no item of a class counts in any part of a window. */
export function countableValues(
  snapshot: Snapshot,
  { instanceSeq, start, end }: InstanceWindow,
  telemetryClass: TelemetryClass,
): Promise<{ energy: boolean; thermal: boolean }> {
  return query(snapshot, (sql) => {
    const { energy = null, thermal = null } =
      sql.counted.get({ instanceSeq, class: telemetryClass, start }) ?? {};
    const isFree = (first: number | null): boolean => first === null || first >= end;
    return { energy: isFree(energy), thermal: isFree(thermal) };
  });
}

/** Returns the largest sum of a day; 0 if it has none. */
export function largestSum(
  snapshot: Snapshot,
  day: { clusterSeq: number; class: TelemetryClass; day: number },
): Promise<number> {
  return query(snapshot, (sql) => sql.largestSum.get({ ...day })?.sum ?? 0);
}

/** Stores a cluster with its owner. @returns its number */
export function insertCluster(tx: Transaction, cluster: Omit<ClusterRow, 'clusterSeq'>): Promise<number> {
  return query(tx, (sql) => sql.insertCluster.get(cluster).clusterSeq);
}

/** Stores an instance. @returns its number */
export function insertInstance(tx: Transaction, clusterSeq: number, instanceId: string): Promise<number> {
  return query(tx, (sql) => sql.insertInstance.get({ clusterSeq, instanceId }).instanceSeq);
}

/** Stores an item. Triggers add it to the sums of its day. */
export function insertItem(tx: Transaction, item: EvidenceRow): Promise<void> {
  return query(tx, (sql) => {
    sql.insert.run(item);
  });
}

/** An item with the names of its cluster and instance. */
export type ListedItem = Awaited<ReturnType<typeof newestItems>>[number];

/** Returns the newest `limit` items before a number, newest first. */
export function newestItems(snapshot: Snapshot, receiptSeq: number, limit: number) {
  return query(snapshot, (sql) => sql.newest.all({ receiptSeq, limit }));
}

/** Returns the newest `limit` items of a cluster before a number, newest first. */
export function newestItemsOf(
  snapshot: Snapshot,
  clusterSeq: number,
  receiptSeq: number,
  limit: number,
): Promise<ListedItem[]> {
  return query(snapshot, (sql) => sql.newestOf.all({ clusterSeq, receiptSeq, limit }));
}
