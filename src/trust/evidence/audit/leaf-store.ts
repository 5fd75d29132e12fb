import { and, asc, eq, gt, lte } from 'drizzle-orm';
import { agent } from '../../../../db/trust/agents.ts';
import { evidence, evidenceLeaf, lostEvidence } from '../../../../db/trust/evidence.ts';
import { bound } from '../../../platform/store/columns.ts';
import { type Snapshot, statements } from '../../../platform/store/transaction.ts';
import { LEAF_COLUMNS } from '../log/leaf-store.ts';

const query = statements((orm) => ({
  range: () =>
    orm
      .select({ ...LEAF_COLUMNS, lost: lostEvidence })
      .from(evidenceLeaf)
      .leftJoin(evidence, eq(evidence.evidenceSeq, evidenceLeaf.leafSeq))
      .leftJoin(agent, eq(agent.agentSeq, evidence.agentSeq))
      .leftJoin(lostEvidence, eq(lostEvidence.leafSeq, evidenceLeaf.leafSeq))
      .where(
        and(
          gt(evidenceLeaf.leafSeq, bound(evidenceLeaf.leafSeq, 'after')),
          lte(evidenceLeaf.leafSeq, bound(evidenceLeaf.leafSeq, 'reach')),
        ),
      )
      .orderBy(asc(evidenceLeaf.leafSeq))
      .prepare(),
}));

/** A leaf with its item, the item's agent, and the row of an item that was lost; null where there is none. */
export type LeafRow = Awaited<ReturnType<typeof leafRows>>[number];

/** Returns the leaves with numbers above `after` up to `reach`, in order. */
export function leafRows(snapshot: Snapshot, { after, reach }: { after: number; reach: number }) {
  return query(snapshot, (sql) => sql.range.all({ after, reach }));
}
