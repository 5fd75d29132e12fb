import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import { linkedAgentOf } from '../../proof/log/linked-account.ts';
import type { TrustContext } from '../context.ts';
import { appendEntryIn } from './log/leaves.ts';
import { accountOfOperator, agentOf } from './store.ts';

/** What happened to a receipt. */
export interface ReceiptAct {
  event: 'issued' | 'finalized' | 'revoked';
  operatorSeq: number;
  operatorId: string;
  receiptId: string;
  agentId: string;
  /** Of the version that the act signed: 64 hexadecimal characters. */
  contentHash: string;
  /** When the version was signed, RFC 3339. */
  at: string;
}

/**
 * Appends the leaf of an act to the log of accounts, in the transaction of the act, if the account of the operator is linked. Every
 * function that stores a signed version of a receipt calls it.
 */
export async function recordActIn(
  tx: Transaction,
  { log }: Pick<TrustContext, 'log'>,
  { event, operatorSeq, operatorId, receiptId, agentId, contentHash, at }: ReceiptAct,
): Promise<void> {
  const account = await accountOfOperator(tx, operatorSeq);
  if (account === null || !account.linked) return;
  const { accountSeq } = account;
  const agent = await agentOf(tx, {
    accountSeq,
    agent: linkedAgentOf(nativePrimitives, operatorId, agentId),
  });
  const entry = {
    account: account.account,
    sequence: account.leaves + 1,
    event,
    receipt_id: receiptId,
    content_hash: contentHash,
    agent: agent.agent,
    agent_sequence: agent.leaves + 1,
    at,
  };
  await appendEntryIn(tx, log.open.accounts, entry, { account, agent, recovered: false });
  tx.afterCommit(() => log.publisher.grown('accounts'));
}
