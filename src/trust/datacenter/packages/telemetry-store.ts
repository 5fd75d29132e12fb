import { and, eq, gt, gte, lt, lte, sql } from 'drizzle-orm';
import { datacenterEvidence } from '../../../../db/trust/datacenter.ts';
import { receiptLeaf } from '../../../../db/trust/receipts.ts';
import { bound } from '../../../platform/store/columns.ts';
import { type Snapshot, statements } from '../../../platform/store/transaction.ts';

const $ = sql.placeholder;

const query = statements((orm) => ({
  /**
   * A page in the order of arrival: the index by arrival has the number of the receipt as its last column.
   */
  page: () =>
    orm
      .select({
        receiptSeq: datacenterEvidence.receiptSeq,
        leafSeq: receiptLeaf.leafSeq,
        ingestedAt: datacenterEvidence.ingestedAt,
        instanceSeq: datacenterEvidence.instanceSeq,
        eventType: datacenterEvidence.eventType,
        class: datacenterEvidence.class,
        day: datacenterEvidence.day,
        countsEnergy: datacenterEvidence.countsEnergy,
        itMwh: datacenterEvidence.itMwh,
        facilityMwh: datacenterEvidence.facilityMwh,
        waterMl: datacenterEvidence.waterMl,
        renewableMwh: datacenterEvidence.renewableMwh,
        reusedMwh: datacenterEvidence.reusedMwh,
        powerMwh: datacenterEvidence.powerMwh,
        co2Mg: datacenterEvidence.co2Mg,
        savedMwh: datacenterEvidence.savedMwh,
        avoidedG: datacenterEvidence.avoidedG,
      })
      .from(datacenterEvidence)
      .innerJoin(receiptLeaf, eq(receiptLeaf.receiptSeq, datacenterEvidence.receiptSeq))
      .where(
        sql`${and(
          eq(datacenterEvidence.clusterSeq, bound(datacenterEvidence.clusterSeq, 'clusterSeq')),
          gte(datacenterEvidence.ingestedAt, bound(datacenterEvidence.ingestedAt, 'afterTime')),
          sql`(${datacenterEvidence.ingestedAt}, ${datacenterEvidence.receiptSeq}) > (${$('afterTime')}, ${$('afterReceipt')})`,
          gt(datacenterEvidence.windowEnd, bound(datacenterEvidence.windowEnd, 'from')),
          lte(datacenterEvidence.windowEnd, bound(datacenterEvidence.windowEnd, 'to')),
          lt(receiptLeaf.leafSeq, bound(receiptLeaf.leafSeq, 'beforeLeaf')),
        )} ORDER BY ${datacenterEvidence.ingestedAt}, ${datacenterEvidence.receiptSeq} LIMIT +${$('limit')}`,
      )
      .prepare(),
}));

/** An item of telemetry, as a package counts it: energy in mWh, water in mL, emissions in mg and grams. */
export type TelemetryItem = Awaited<ReturnType<typeof telemetryPage>>[number];

/** Which items a page has: those that arrived after a position and whose window ends in a period. */
export interface TelemetryPage {
  clusterSeq: number;
  /**
   * The position of the last item of the page before: milliseconds since 1970, and the number of its receipt.
   */
  afterTime: number;
  afterReceipt: number;
  /** Windows end after `from`, and at `to` at the latest: milliseconds since 1970. */
  from: number;
  to: number;
  /** The first leaf of the log of receipts that does not count. */
  beforeLeaf: number;
  limit: number;
}

/** Returns a page of a cluster's telemetry in the order of its arrival, with the leaves of the receipts. */
export function telemetryPage(snapshot: Snapshot, page: TelemetryPage) {
  return query(snapshot, (sql) => sql.page.all({ ...page }));
}
