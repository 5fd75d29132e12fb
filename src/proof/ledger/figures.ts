import type { JournalEntry } from './journal-entry.ts';

/** The members of an entry that its account's figures follow from. */
type Change = Pick<JournalEntry, 'kind' | 'amount' | 'direction' | 'of'>;

/** Returns by how much an entry changes what is available. */
export function availableBy({ amount, direction, of }: Change): number {
  if (of !== undefined) return 0;
  return direction === 'credit' ? amount : -amount;
}

/** Returns by how much an entry changes what an agent has locked: in escrow, or for withdrawals. */
export function lockedBy({ kind, amount, of }: Change): number {
  if (of !== undefined || kind === 'UNLOCK') return -amount;
  return kind === 'LOCK' ? amount : 0;
}

/** Returns what an agent spent with an entry. What it locks is spent when it leaves for another account. */
export function spentBy({ kind, amount, direction }: Change): number {
  return direction === 'debit' && kind !== 'LOCK' ? amount : 0;
}

/** Returns what an agent was granted with an entry. */
export function grantedBy({ kind, amount }: Change): number {
  return kind === 'OPERATOR_GRANT' ? amount : 0;
}

/** Returns what an agent earned with an entry. What it unlocks is not earned. */
export function earnedBy({ kind, amount, direction }: Change): number {
  return direction === 'credit' && kind !== 'OPERATOR_GRANT' && kind !== 'UNLOCK' ? amount : 0;
}
