import type { Snapshot } from '../../platform/store/transaction.ts';
import { countRequisitions, type Owner } from './store.ts';

/** The maximum number of sandbox requisitions per partner; the database enforces it too. */
export const SANDBOX_REQUISITIONS = 25;

/** Returns the number of a partner's stored requisitions in a mode. */
export function countRequisitionsIn(snapshot: Snapshot, owner: Owner): Promise<number> {
  return countRequisitions(snapshot, owner);
}
