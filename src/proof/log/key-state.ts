import type { KeyStatus, TrustedKey } from '../keys/trusted-keys.ts';
import { overlapOf } from './key-purposes.ts';
import type { KeyEntry } from './log-entry.ts';

const STATUS: Record<KeyEntry['event'], KeyStatus> = {
  added: 'next',
  activated: 'active',
  retired: 'retired',
  compromised: 'compromised',
};

/** Returns what a list of keys says of a key whose newest event this is. */
export function stateAfter({
  event,
  at,
  purpose,
  receipts_tree_size,
}: KeyEntry): Pick<TrustedKey, 'status' | 'valid_until' | 'receipts_tree_size'> {
  const status = STATUS[event];
  if (event === 'added' || event === 'activated')
    return { status, valid_until: null, receipts_tree_size: null };
  const end = Date.parse(at) + (event === 'retired' ? overlapOf(purpose) : 0);
  return { status, valid_until: new Date(end).toISOString(), receipts_tree_size };
}
