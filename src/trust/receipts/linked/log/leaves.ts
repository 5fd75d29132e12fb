import type { Snapshot, Transaction } from '../../../../platform/store/transaction.ts';
import {
  JOURNAL_HEADS,
  type JournalHeadsEntry,
  journalHeadsText,
} from '../../../../proof/log/journal-heads-entry.ts';
import {
  type AccountEntry,
  type AccountEvent,
  accountEntryText,
  NO_RECEIPT,
} from '../../../../proof/log/log-entry.ts';
import type { Leaf } from '../../../log/contents.ts';
import { LogDamage } from '../../../log/damage.ts';
import { FIRST_LEAF, type LogRow } from '../../../log/logs.ts';
import type { LoggedLeaf } from '../../../log/proofs/inclusion-proof.ts';
import { appendedIn, appendIn, leafHashOf } from '../../../log/tree/append.ts';
import {
  type AccountRow,
  type AgentRow,
  insertActLeaf,
  insertHeadsLeaf,
  insertLeaf,
  leavesBetween,
  leavesOfReceipt,
  type NewLeaf,
  type StoredLeaf,
} from '../store.ts';

/** Appends a leaf of an account, in the transaction of what it records. @returns its leaf_seq */
export async function appendEntryIn(
  tx: Transaction,
  log: LogRow,
  entry: AccountEntry,
  rows: { account: AccountRow; agent: AgentRow | null; recovered: boolean },
): Promise<number> {
  const index = await appendIn(tx, log, accountEntryText(entry), (leafHash) =>
    insertLeaf(tx, leafRow(entry, leafHash, rows)),
  );
  return FIRST_LEAF + index;
}

/**
 * Appends the leaf of an act like `appendEntryIn`, and finds its agent.
 * @param entryOf returns the entry for the agent's newest leaf
 */
export async function appendActIn(
  tx: Transaction,
  log: LogRow,
  account: AccountRow,
  agentHash: string,
  entryOf: (agent: AgentRow) => AccountEntry,
): Promise<void> {
  const key = { accountSeq: account.accountSeq, agent: agentHash };
  const leafSeq = await insertActLeaf(tx, key, (agent) => {
    const entry = entryOf(agent);
    return leafRow(entry, leafHashOf(accountEntryText(entry)), { account, agent, recovered: false });
  });
  await appendedIn(tx, log, leafSeq - FIRST_LEAF);
}

/**
 * Appends a leaf of journal heads, in the transaction that completes their tree.
 * @param at the time, RFC 3339
 * @returns its leaf_seq
 */
export async function appendHeadsIn(
  tx: Transaction,
  log: LogRow,
  entry: JournalHeadsEntry,
  { at, recovered }: { at: string; recovered: boolean },
): Promise<number> {
  const index = await appendIn(tx, log, journalHeadsText(entry), (leafHash) =>
    insertHeadsLeaf(tx, { ...entry, leafHash, event: JOURNAL_HEADS, at, recovered }),
  );
  return FIRST_LEAF + index;
}

function leafRow(
  entry: AccountEntry,
  leafHash: Uint8Array,
  { account, agent, recovered }: { account: AccountRow; agent: AgentRow | null; recovered: boolean },
): NewLeaf {
  return {
    leafHash,
    accountSeq: account.accountSeq,
    sequence: entry.sequence,
    event: entry.event,
    receiptId: entry.receipt_id,
    contentHash: entry.content_hash,
    linkedAgentSeq: agent?.linkedAgentSeq ?? null,
    agentSequence: entry.agent_sequence,
    at: entry.at,
    recovered,
  };
}

/** Returns the exact text of a leaf's entry. @throws LogDamage for a leaf without what its event needs */
export function leafEntry({ leaf, account, agent }: StoredLeaf): string {
  const { event, sequence, at, receiptId, contentHash, agentSequence, date, accounts, root } = leaf;
  if (event === JOURNAL_HEADS) {
    if (date !== null && accounts !== null && root !== null)
      return journalHeadsText({ date, accounts, root });
    throw new LogDamage('accounts', `leaf ${leaf.leafSeq - FIRST_LEAF} of accounts has no root`);
  }
  if (account === null || sequence === null)
    throw new LogDamage('accounts', `leaf ${leaf.leafSeq - FIRST_LEAF} of accounts names no account`);
  const members = { account, sequence, at };
  if (event === 'linked' || event === 'unlinked')
    return accountEntryText({ ...members, event, ...NO_RECEIPT });
  if (receiptId === null || contentHash === null || agent === null || agentSequence === null)
    throw new LogDamage('accounts', `leaf ${leaf.leafSeq - FIRST_LEAF} of accounts names no receipt`);
  const ofReceipt = {
    receipt_id: receiptId,
    content_hash: contentHash,
    agent,
    agent_sequence: agentSequence,
  };
  return accountEntryText({ ...members, event, ...ofReceipt });
}

/**
 * Returns the existing leaves of the log with index `from` to `to`, exclusive.
 * @throws LogDamage as `leafEntry`
 */
export async function accountLeavesOf(snapshot: Snapshot, from: number, to: number): Promise<Leaf[]> {
  const leaves = await leavesBetween(snapshot, { from: FIRST_LEAF + from, to: FIRST_LEAF + to });
  return leaves.map((stored) => ({ entry: leafEntry(stored), leafHash: stored.leaf.leafHash }));
}

/**
 * Returns the leaves of a receipt in the log of accounts with their events, oldest first.
 * @throws LogDamage as `leafEntry`
 */
export async function accountLeavesOfReceipt(
  snapshot: Snapshot,
  receiptId: string,
): Promise<(LoggedLeaf & { event: AccountEvent })[]> {
  const leaves = await leavesOfReceipt(snapshot, receiptId);
  return leaves.flatMap((stored) => {
    const { event, leafSeq } = stored.leaf;
    // Heads of journals are of no receipt.
    return event === JOURNAL_HEADS ? [] : { index: leafSeq - FIRST_LEAF, entry: leafEntry(stored), event };
  });
}
