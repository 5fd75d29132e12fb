import type { Snapshot } from '../../platform/store/transaction.ts';
import { keyOfOperator } from './store.ts';

export { allOperators, firstOperator, type OperatorRow, operatorById, operatorBySeq } from './store.ts';

/** Returns whether an operator has the key with a hash, of any role. */
export async function hasKey(snapshot: Snapshot, operatorSeq: number, keyHash: string): Promise<boolean> {
  return (await keyOfOperator(snapshot, operatorSeq, keyHash)) !== undefined;
}
