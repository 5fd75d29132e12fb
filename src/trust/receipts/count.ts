import type { Snapshot } from '../../platform/store/transaction.ts';
import { receiptSql } from './store.ts';

/** How many receipts an operator has issued, as they were counted. */
export function countReceipts(snapshot: Snapshot, operatorSeq: number): number {
  return Number(receiptSql(snapshot).countOf.get({ operatorSeq })?.receipts ?? 0);
}

/** How many receipts of all operators stand in each state. */
export function countByState(snapshot: Snapshot) {
  return receiptSql(snapshot).countByState.all();
}
