import type { Snapshot } from '../../../platform/store/transaction.ts';
import { accountOfOperator } from './store.ts';

/** Returns the state of an operator's account in the log of accounts; null if it was never linked. */
export async function linkedStateOf(snapshot: Snapshot, operatorSeq: number) {
  const account = await accountOfOperator(snapshot, operatorSeq);
  return account === null
    ? null
    : { linked: account.linked, account: account.account, sequence: account.leaves };
}
