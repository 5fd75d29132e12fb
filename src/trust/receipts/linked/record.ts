import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import { GroupCache } from '../../../platform/store/cache/group-cache.ts';
import type { Transaction } from '../../../platform/store/transaction.ts';
import { linkedAgentOf } from '../../../proof/log/linked-account.ts';
import type { TrustLog } from '../../log/lifecycle/open.ts';
import { appendActIn } from './log/leaves.ts';
import { type AccountRow, accountOfOperator } from './store.ts';

/** What happened to a receipt. */
export interface ReceiptAct {
  event: 'issued' | 'finalized' | 'revoked';
  operatorSeq: number;
  operatorId: string;
  receiptId: string;
  agentId: string;
  /** Of the version that the act signed: 64 hexadecimal characters. */
  contentHash: string;
  /** The time when the version was signed, RFC 3339. */
  at: string;
}

/**
 * The accounts of the acts that share a transaction, with the sequences that their leaves have reached. For
 * operators that are not linked, a transaction reads only once that there is nothing to do.
 */
const accounts = new GroupCache<{ row: AccountRow | null }>();

/** Makes the acts after a change of an account, in the same transaction, read it again. */
export function accountChangedIn(): void {
  accounts.clear();
}

/**
 * Appends the leaf of an act to the log of accounts, in the transaction of the act, if the account of the
 * operator is linked. Every function that stores a signed version of a receipt calls it.
 */
export async function recordActIn(tx: Transaction, trust: { log: TrustLog }, act: ReceiptAct): Promise<void> {
  const { operatorSeq } = act;
  const { row } = await accounts.get(tx, String(operatorSeq), async () => ({
    row: await accountOfOperator(tx, operatorSeq),
  }));
  if (row?.linked === true) await logActIn(tx, trust, act, row);
}

async function logActIn(
  tx: Transaction,
  { log }: { log: TrustLog },
  { event, operatorId, receiptId, agentId, contentHash, at }: ReceiptAct,
  account: AccountRow,
): Promise<void> {
  const agentHash = linkedAgentOf(nativePrimitives, operatorId, agentId);
  await appendActIn(tx, log.open.accounts, account, agentHash, (agent) => ({
    account: account.account,
    sequence: account.leaves + 1,
    event,
    receipt_id: receiptId,
    content_hash: contentHash,
    agent: agentHash,
    agent_sequence: agent.leaves + 1,
    at,
  }));
  // The trigger counts in the same way. If this act is rolled back, the next one reads the account again.
  account.leaves += 1;
  tx.afterCommit(() => log.publisher.grown('accounts', at));
}
