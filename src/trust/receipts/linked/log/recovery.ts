import { nativePrimitives } from '../../../../platform/crypto/crypto.ts';
import type { Transaction } from '../../../../platform/store/transaction.ts';
import { LogEntryError } from '../../../../proof/log/entry-members.ts';
import {
  type AnyAccountsEntry,
  endOfDay,
  type JournalHeadsEntry,
} from '../../../../proof/log/journal-heads-entry.ts';
import { accountOf } from '../../../../proof/log/linked-account.ts';
import type { AccountEntry } from '../../../../proof/log/log-entry.ts';
import type { LogRow } from '../../../log/logs.ts';
import { allOperators } from '../../../operators/status.ts';
import {
  type AccountRow,
  accountByHash,
  agentOf,
  hasReceipt,
  insertAccount,
  newestHeadsDate,
} from '../store.ts';
import { storeBoundIn } from './bound.ts';
import { appendEntryIn, appendHeadsIn } from './leaves.ts';

/**
 * Appends a leaf of the log of accounts that a restored backup does not have.
 * @returns what could not be recovered; null for nothing
 * @throws LogEntryError for a leaf that does not follow the ones before: nothing could follow it
 */
export function recoverAccountsLeafIn(
  tx: Transaction,
  log: LogRow,
  entry: AnyAccountsEntry,
): Promise<string | null> {
  return 'heads' in entry
    ? recoverHeadsLeafIn(tx, log, entry.heads)
    : recoverAccountLeafIn(tx, log, entry.account);
}

/** Appends a leaf of journal heads. The movements that its tree covers are lost, and so are its proofs. */
async function recoverHeadsLeafIn(tx: Transaction, log: LogRow, entry: JournalHeadsEntry): Promise<string> {
  const newest = await newestHeadsDate(tx);
  if (newest !== null && entry.date <= newest)
    throw new LogEntryError(`its day ${entry.date} does not follow ${newest}, the day of an earlier leaf`);
  await appendHeadsIn(tx, log, entry, { at: endOfDay(entry.date), recovered: true });
  return `the tree of the heads of journals of ${entry.date}`;
}

/**
 * Appends the leaf of a linked account that a restored backup does not have, and restores the state of the
 * account that it records.
 * @returns what could not be recovered; null if the database has the receipt
 * @throws LogEntryError for a leaf that does not follow the one before: nothing could follow it
 */
async function recoverAccountLeafIn(
  tx: Transaction,
  log: LogRow,
  entry: AccountEntry,
): Promise<string | null> {
  const account = (await accountByHash(tx, entry.account)) ?? (await addAccountIn(tx, entry.account));
  const { accountSeq, leaves, linked } = account;
  if (entry.sequence !== leaves + 1)
    throw new LogEntryError(
      `it does not follow the last of the ${leaves} leaves of account ${entry.account}`,
    );
  if (linked === (entry.event === 'linked'))
    throw new LogEntryError(`the account ${entry.account} is ${linked ? 'linked already' : 'not linked'}`);
  if (entry.receipt_id === null) {
    const leafSeq = await appendEntryIn(tx, log, entry, { account, agent: null, recovered: true });
    await storeBoundIn(tx, leafSeq);
    return null;
  }
  const agent = await agentOf(tx, { accountSeq, agent: entry.agent });
  if (agent.accountSeq !== accountSeq || entry.agent_sequence !== agent.leaves + 1)
    throw new LogEntryError(
      `it does not follow the last of the ${agent.leaves} leaves of agent ${entry.agent}`,
    );
  await appendEntryIn(tx, log, entry, { account, agent, recovered: true });
  return (await hasReceipt(tx, entry.receipt_id)) ? null : `the receipt ${entry.receipt_id}`;
}

/** Adds an account that the database does not have, with its operator if that is known. */
async function addAccountIn(tx: Transaction, account: string): Promise<AccountRow> {
  const operators = await allOperators(tx);
  const operator = operators.find(({ operatorId }) => accountOf(nativePrimitives, operatorId) === account);
  return insertAccount(tx, { account, operatorSeq: operator?.operatorSeq ?? null });
}
