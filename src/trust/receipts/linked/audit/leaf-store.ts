import { getTableColumns } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { accountLeaf, linkedAccount, linkedAgent } from '../../../../../db/trust/linked.ts';
import { operator } from '../../../../../db/trust/operators.ts';
import { receipt, receiptVersion } from '../../../../../db/trust/receipts.ts';
import { orNull, sqlOf } from '../../../../platform/store/sql.ts';

const sql = sqlOf({ accountLeaf });

const previous = alias(accountLeaf, 'previous');

/** A leaf with everything that it is compared with; null where there is none. */
export type LeafRow = Awaited<ReturnType<typeof leafRows>>[number];

/** Returns the leaves with numbers above `after` up to `reach`, in order. */
export const leafRows = sql.joined({
  ...getTableColumns(accountLeaf),
  account: orNull(linkedAccount.account),
  agent: orNull(linkedAgent.agent),
  /** The account of the agent. */
  agentAccountSeq: orNull(linkedAgent.accountSeq),
  /** The leaf before it of its account. */
  previousLeaf: orNull(previous.leafSeq),
  previousEvent: orNull(previous.event),
  /** The version of the receipt with this content_hash. */
  version: orNull(receiptVersion.version),
  status: orNull(receiptVersion.status),
  revocationStatus: orNull(receiptVersion.revocationStatus),
  signedAt: orNull(receiptVersion.signedAt),
  agentId: orNull(receipt.agentId),
  /** The operator of the receipt, or for `linked` and `unlinked` that of the account. */
  operatorId: orNull(operator.operatorId),
}).rows`FROM account_leaf LEFT JOIN linked_account ON linked_account.account_seq = account_leaf.account_seq
  LEFT JOIN linked_agent ON linked_agent.linked_agent_seq = account_leaf.linked_agent_seq
  LEFT JOIN account_leaf previous
    ON previous.account_seq = account_leaf.account_seq AND previous.sequence = account_leaf.sequence - 1
  LEFT JOIN receipt ON receipt.receipt_id = account_leaf.receipt_id
  LEFT JOIN receipt_version ON receipt_version.receipt_seq = receipt.receipt_seq
    AND receipt_version.content_hash = account_leaf.content_hash
  LEFT JOIN operator ON operator.operator_seq =
    CASE WHEN account_leaf.receipt_id IS NULL THEN linked_account.operator_seq ELSE receipt.operator_seq END
  WHERE account_leaf.leaf_seq > ${'after:leafSeq'} AND account_leaf.leaf_seq <= ${'reach:leafSeq'}
  ORDER BY account_leaf.leaf_seq`;
