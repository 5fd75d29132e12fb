import { evidenceLeaf, lostEvidence } from '../../../../db/trust/evidence.ts';
import { orNull, sqlOf } from '../../../platform/store/sql.ts';
import { LEAF_COLUMNS, LEAVES } from '../log/leaf-store.ts';

const sql = sqlOf({ evidenceLeaf });

/** A leaf with its item, the item's agent, and the row of an item that was lost; null where there is none. */
export type LeafRow = Awaited<ReturnType<typeof leafRows>>[number];

/** Returns the leaves with numbers above `after` up to `reach`, in order. */
export const leafRows = sql.joined({ ...LEAF_COLUMNS, lost: orNull(lostEvidence) }).rows`${LEAVES}
  LEFT JOIN lost_evidence ON lost_evidence.leaf_seq = evidence_leaf.leaf_seq
  WHERE evidence_leaf.leaf_seq > ${'after:leafSeq'} AND evidence_leaf.leaf_seq <= ${'reach:leafSeq'}
  ORDER BY evidence_leaf.leaf_seq`;
