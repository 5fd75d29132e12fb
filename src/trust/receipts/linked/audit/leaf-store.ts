import type { RowRange } from '../../../../platform/audit/table.ts';
import { runQuery, type Snapshot } from '../../../../platform/store/transaction.ts';

/** A leaf with everything that it is compared with; null where there is none. Bytes are in hexadecimal. */
export interface LeafRow {
  leafSeq: number;
  leafHash: Uint8Array;
  accountSeq: number;
  sequence: number;
  event: string;
  /** Without its prefix. */
  receiptId: string | null;
  contentHash: string | null;
  linkedAgentSeq: number | null;
  agentSequence: number | null;
  at: string;
  recovered: number;
  account: string | null;
  agent: string | null;
  /** The account of the agent. */
  agentAccountSeq: number | null;
  /** The leaf before it of its account. */
  previousLeaf: number | null;
  previousEvent: string | null;
  /** The version of the receipt with this content_hash. */
  version: number | null;
  status: string | null;
  revocationStatus: string | null;
  signedAt: string | null;
  agentId: string | null;
  /** The operator of the receipt, or for `linked` and `unlinked` that of the account. */
  operatorId: string | null;
}

const LEAVES = `
  SELECT l.leaf_seq AS leafSeq, l.leaf_hash AS leafHash, l.account_seq AS accountSeq, l.sequence, l.event,
    lower(hex(l.receipt_id)) AS receiptId, lower(hex(l.content_hash)) AS contentHash, l.linked_agent_seq AS linkedAgentSeq,
    l.agent_sequence AS agentSequence, l.at, l.recovered, lower(hex(a.account)) AS account, lower(hex(g.agent)) AS agent,
    g.account_seq AS agentAccountSeq, p.leaf_seq AS previousLeaf, p.event AS previousEvent,
    v.version, v.status, v.revocation_status AS revocationStatus, v.signed_at AS signedAt, r.agent_id AS agentId,
    o.operator_id AS operatorId
  FROM account_leaf l LEFT JOIN linked_account a ON a.account_seq = l.account_seq
    LEFT JOIN linked_agent g ON g.linked_agent_seq = l.linked_agent_seq
    LEFT JOIN account_leaf p ON p.account_seq = l.account_seq AND p.sequence = l.sequence - 1
    LEFT JOIN receipt r ON r.receipt_id = l.receipt_id
    LEFT JOIN receipt_version v ON v.receipt_seq = r.receipt_seq AND v.content_hash = l.content_hash
    LEFT JOIN operator o ON o.operator_seq = CASE WHEN l.receipt_id IS NULL THEN a.operator_seq ELSE r.operator_seq END
  WHERE l.leaf_seq > ? AND l.leaf_seq <= ? ORDER BY l.leaf_seq`;

/** Returns the leaves with numbers above `after` up to `reach`, in order. */
export async function leafRows(snapshot: Snapshot, { after, reach }: RowRange): Promise<LeafRow[]> {
  const rows = await runQuery(snapshot, ({ sqlite }) =>
    sqlite.query<LeafRow, [number, number]>(LEAVES).all(after, reach),
  );
  // SQLite writes NULL as no digits.
  const none = (hex: string | null): string | null => (hex === '' ? null : hex);
  return rows.map((row) => ({
    ...row,
    receiptId: none(row.receiptId),
    contentHash: none(row.contentHash),
    account: none(row.account),
    agent: none(row.agent),
  }));
}
