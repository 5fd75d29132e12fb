import type { Snapshot } from '../../../platform/store/transaction.ts';
import { accountOfOperator } from './store.ts';

/** Returns the state of an operator's account in the log of accounts; null if it was never linked. */
export async function linkedStateOf(snapshot: Snapshot, operatorSeq: number) {
  const known = await accountOfOperator(snapshot, operatorSeq);
  return known === null ? null : { linked: known.linked, account: known.account, sequence: known.leaves };
}
