import type { Snapshot } from '../../platform/store/transaction.ts';
import { receiptSql } from './store.ts';

/** How many receipts of all operators stand in each state. */
export function countByState(snapshot: Snapshot) {
  return receiptSql(snapshot).countByState.all();
}
