import type { Transaction } from '../../platform/store/transaction.ts';
import type { Principals } from './auth/authenticate.ts';
import { deleteKeys, keysOf } from './store.ts';

/** Most keys that one transaction deletes, so that it takes milliseconds. */
const MAX_DELETED = 200;

/**
 * Deletes keys of an operator, and with them their sessions, for a bounded transaction.
 * @returns how many; 0 when none is left
 */
export async function deleteKeysIn(
  tx: Transaction,
  { principals }: { principals: Principals },
  operatorSeq: number,
): Promise<number> {
  const keys = await keysOf(tx, operatorSeq, undefined, MAX_DELETED);
  if (keys.length === 0) return 0;
  await deleteKeys(
    tx,
    keys.map(({ keyHash }) => keyHash),
  );
  principals.changedIn(tx);
  return keys.length;
}
