import { credential, statusList } from '../../../db/trust/credentials.ts';
import { sqlOf } from '../../platform/store/sql.ts';

const sql = sqlOf({ credential, statusList });

/** A status list's row. */
export type StatusListRow = typeof statusList.$inferSelect;

/** Returns a status list by its number; null if there is none. */
export const statusListBy = sql.row(statusList)`WHERE list_seq = ${'listSeq'}`;

/** Returns the list that was opened last for a key; null if there is none. */
export const newestListOf = sql.row(statusList)`
  WHERE key_seq = ${'keySeq'} ORDER BY list_seq DESC LIMIT 1`;

/** Opens an empty list of a key. Its `validUntil` is RFC 3339. @returns its row */
export const insertList = sql.insertRow(statusList, {
  without: ['listSeq'],
  fixed: { issued: 0, revoked: 0, deleted: 0 },
});

/** Counts a credential in its list. `validUntil` is its end, RFC 3339. */
export const countInList = sql.run`
  UPDATE status_list SET issued = issued + 1, valid_until = max(valid_until, ${'validUntil'})
  WHERE list_seq = ${'listSeq'}`;

/**
 * Returns the revoked entries of a list from one index to another, exclusive: revoked themselves, or with
 * their agent or cluster owner.
 */
export const revokedEntries = sql.values(credential.listIndex)`
  LEFT JOIN agent USING (agent_seq) LEFT JOIN datacenter_cluster USING (cluster_seq)
  LEFT JOIN operator ON operator.operator_seq = datacenter_cluster.operator_seq
  WHERE list_seq = ${'listSeq'} AND list_index >= ${'from:listIndex'} AND list_index < ${'to:listIndex'}
    AND (credential.revoked_at IS NOT NULL OR agent.state = 'REVOKED' OR operator.account_status <> 'ACTIVE')`;
