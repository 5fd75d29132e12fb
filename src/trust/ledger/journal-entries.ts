import { CREDIT_CLASSES } from '../../../db/trust/ledger-enums.ts';
import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import { timestampOf } from '../../platform/time/timestamp.ts';
import {
  detailHash,
  entryHash,
  entryId,
  type JournalEntry,
  type JournalOwner,
  type MovementDetail,
} from '../../proof/ledger/journal-entry.ts';
import type { Account, CreditClass } from './accounts.ts';
import type { OpeningRow } from './store.ts';

/** The end of a journal, which each entry moves on. */
export interface JournalState {
  owner: JournalOwner;
  /** The number of entries. */
  entries: number;
  /** The hash of the newest entry; null if there is none. */
  head: string | null;
}

/** The entry by which a pool received what it had before it had a journal. */
export interface OpeningEntry {
  entry: JournalEntry & { kind: 'OPENING'; asset: CreditClass };
  entryHash: string;
  detail: MovementDetail;
}

/** The name of what the opening entries of a pool are from. */
const BEFORE = 'opening';

/** Returns who owns the journal of an account; null for an account without a journal. */
export function journalOwner({ kind, name }: Account): JournalOwner | null {
  if (kind === 'agent') return { subject_commitment: name };
  return kind === 'pool' ? { operator_id: name } : null;
}

/** Adds an entry to a journal. @returns its hash */
export function entered(journal: JournalState, entry: Omit<JournalEntry, 'prev_entry_hash'>): string {
  const hash = entryHash(nativePrimitives, journal.owner, { ...entry, prev_entry_hash: journal.head });
  journal.entries += 1;
  journal.head = hash;
  return hash;
}

/** Returns the first entries of a pool that had credits before pools had journals, oldest first. */
export function openingEntries(operatorId: string, rows: readonly OpeningRow[]): OpeningEntry[] {
  const owner = { operator_id: operatorId };
  const journal: JournalState = { owner, entries: 0, head: null };
  return CREDIT_CLASSES.flatMap((asset) => {
    const row = rows.find((each) => each.asset === asset);
    if (row === undefined || row.balance === 0 || row.transactionId === null || row.salt === null) return [];
    const detail = {
      creditor: operatorId,
      debtor: BEFORE,
      memo: null,
      receipt_id: null,
      reference: null,
      salt: row.salt,
    };
    const entry = {
      entry_id: entryId(row.transactionId, 0, 'credit'),
      kind: 'OPENING' as const,
      asset,
      amount: row.balance,
      direction: 'credit' as const,
      balance_after: row.balance,
      created_at: timestampOf(row.createdAt),
      detail_hash: detailHash(nativePrimitives, detail),
      prev_entry_hash: journal.head,
    };
    return { entry, detail, entryHash: entered(journal, entry) };
  });
}
