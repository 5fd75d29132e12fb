import { nativePrimitives } from '../../../../platform/crypto/crypto.ts';
import type { Snapshot, Transaction } from '../../../../platform/store/transaction.ts';
import { accountOf, linkedAgentOf } from '../../../../proof/log/linked-account.ts';
import {
  readAccountEntry,
  readAnyRevocationEntry,
  readReceiptEntry,
} from '../../../../proof/log/log-entry.ts';
import type { LogRow } from '../../../log/logs.ts';
import { allOperators } from '../../../operators/status.ts';
import { accountByHash, agentOf, newestLinkedAt, ownerOfReceipt } from '../store.ts';
import { accountLeavesOfReceipt, appendEntryIn } from './leaves.ts';

/** An act of which an entry of another log was recovered. */
interface Act {
  event: 'finalized' | 'revoked';
  receiptId: string;
  contentHash: string;
  at: string;
}

/**
 * Appends the leaves of acts of which the log of receipts or of revocations was published a moment before the
 * log of accounts, and then the database was lost. They have the dates of the acts. Only acts that are not
 * older than the newest leaf can lack theirs: an older one has it, or was done while the account was not
 * linked.
 * @param recovered the entries that were recovered
 * @returns the number of appended leaves
 */
export async function appendMissingActsIn(
  tx: Transaction,
  log: LogRow,
  recovered: { receipts: readonly string[]; revocations: readonly string[] },
): Promise<number> {
  const since = await newestLinkedAt(tx);
  if (since === null) return 0;
  const acts = [...recovered.receipts.map(finalization), ...recovered.revocations.flatMap(revocation)]
    .filter(({ at }) => at >= since)
    .sort((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)));
  let appended = 0;
  for (const act of acts) if (await appendIfMissingIn(tx, log, act)) appended++;
  return appended;
}

/** Appends the leaf of an act, if its account is known and linked, and the leaf is missing and can follow. */
async function appendIfMissingIn(
  tx: Transaction,
  log: LogRow,
  { event, receiptId, contentHash, at }: Act,
): Promise<boolean> {
  const leaves = await accountLeavesOfReceipt(tx, receiptId);
  if (leaves.some((leaf) => leaf.event === event || leaf.event === 'revoked')) return false;
  const known = await ownerOf(tx, receiptId, leaves[0]?.entry);
  const account = known === null ? null : await accountByHash(tx, known.account);
  if (known === null || account === null || !account.linked) return false;
  const agent = await agentOf(tx, { accountSeq: account.accountSeq, agent: known.agent });
  const entry = {
    ...{ account: known.account, sequence: account.leaves + 1, event, at },
    ...{ receipt_id: receiptId, content_hash: contentHash },
    ...{ agent: known.agent, agent_sequence: agent.leaves + 1 },
  };
  await appendEntryIn(tx, log, entry, { account, agent, recovered: true });
  return true;
}

/**
 * Returns the account and the agent of a receipt; null if it is neither in the database nor in the log.
 * @param entry of its first leaf, if it has one
 */
async function ownerOf(
  snapshot: Snapshot,
  receiptId: string,
  entry: string | undefined,
): Promise<{ account: string; agent: string } | null> {
  const leaf = entry === undefined ? null : readAccountEntry(entry);
  if (leaf !== null && leaf.receipt_id !== null) return leaf;
  const owner = await ownerOfReceipt(snapshot, receiptId);
  const operators = owner === null ? [] : await allOperators(snapshot);
  const operatorId = operators.find(({ operatorSeq }) => operatorSeq === owner?.operatorSeq)?.operatorId;
  if (owner === null || operatorId === undefined) return null;
  const agent = linkedAgentOf(nativePrimitives, operatorId, owner.agentId);
  return { account: accountOf(nativePrimitives, operatorId), agent };
}

function finalization(text: string): Act {
  const { receipt_id: receiptId, content_hash: contentHash, finalized_at: at } = readReceiptEntry(text);
  return { event: 'finalized', receiptId, contentHash, at };
}

/** Entries about agents are no acts of accounts. */
function revocation(text: string): Act[] {
  const entry = readAnyRevocationEntry(text);
  if (!('receipt' in entry)) return [];
  const { receipt_id: receiptId, content_hash: contentHash, revoked_at: at } = entry.receipt;
  return [{ event: 'revoked', receiptId, contentHash, at }];
}
