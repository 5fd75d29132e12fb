import { mask } from '../../operators/mask.ts';
import type { FullEntry } from '../journal.ts';
import type { JournalEntryView } from './schema.ts';

const OPERATOR_PREFIX = 'op_cus_';

/**
 * Returns an entry as the API shows it.
 * @param full whether to show what only the parties see
 */
export function entryView(
  { entry, entryHash, detail, counterparty }: FullEntry,
  full: boolean,
): JournalEntryView {
  const { memo, receipt_id, reference, salt } = detail;
  return {
    entry_id: entry.entry_id,
    kind: entry.kind,
    asset: entry.asset,
    amount: entry.amount,
    direction: entry.direction,
    ...(entry.of === undefined ? {} : { of: entry.of }),
    counterparty: full ? counterparty : maskedAccount(counterparty),
    reference: full || reference === null ? reference : mask(reference, ''),
    memo: full ? memo : null,
    receipt_id: full ? receipt_id : null,
    salt: full ? salt : null,
    balance_after: entry.balance_after,
    created_at: entry.created_at,
    detail_hash: entry.detail_hash,
    entry_hash: entryHash,
    prev_entry_hash: entry.prev_entry_hash,
  };
}

/** Masks an agent or an operator. Accounts of the service are no secret. */
export function maskedAccount(name: string): string {
  if (name.startsWith(OPERATOR_PREFIX)) return mask(name, OPERATOR_PREFIX);
  return name.length < 64 ? name : mask(name, '');
}
