import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';
import { timestampOf } from '../../platform/time/timestamp.ts';
import { type Opening, OWN_LOCKED } from '../../proof/ledger/journal.ts';
import {
  detailHash,
  entryId,
  type JournalEntry,
  type MovementDetail,
  OF_LOCKED,
} from '../../proof/ledger/journal-entry.ts';
import {
  type Account,
  type CreditClass,
  creditClassOf,
  type JournalAccount,
  type MovementKind,
} from './accounts.ts';
import { openingEntries } from './journal-entries.ts';
import {
  type EntryFilter,
  type HashedMovement,
  movementIn,
  movementsOf,
  movementsOfTransaction,
  type NamedMovement,
} from './journal-store.ts';
import { type MovementRow, openingsOf } from './store.ts';

export type EntryKind = MovementKind | 'OPENING';

/** An entry of a journal with everything that only the parties may see. */
export interface FullEntry {
  /** Its position, for pages. */
  position: number;
  entry: JournalEntry & { kind: EntryKind; asset: CreditClass };
  entryHash: string;
  detail: MovementDetail;
  /** The name of the other account; `locked` for what the agent locks and unlocks. */
  counterparty: string;
}

/** Which entries of a journal; times in milliseconds since 1970, `to` exclusive. Without a member, any. */
export interface EntriesWanted {
  kind?: EntryKind | undefined;
  asset?: CreditClass | undefined;
  reference?: string | undefined;
  from?: number | undefined;
  to?: number | undefined;
}

/** Entries of a journal, newest first. */
export interface EntryPage {
  entries: FullEntry[];
  /** Before which position the next page begins; null if there is none. */
  next: number | null;
}

/** The most movements that a page looks at: about 5 ms. */
const MOST = 2000;

/** Later than all movements. */
const END = Number.MAX_SAFE_INTEGER;

/**
 * Returns up to `limit` entries of a journal, newest first. A page with filters may be empty, and another may
 * follow it all the same.
 * @param before returns entries before the one with this position; null for the newest entries
 */
export async function entriesBefore(
  snapshot: Snapshot,
  account: JournalAccount,
  before: number | null,
  limit: number,
  wanted: EntriesWanted = {},
): Promise<EntryPage> {
  const filter = filterOf(wanted);
  const { movements, next } =
    filter === null
      ? { movements: [], next: null }
      : await movementsOf(snapshot, account, filter, { before, limit, most: MOST });
  const openings = account.kind === 'pool' ? await openingsIn(snapshot, account) : [];
  const first = openings.at(-1)?.entryHash ?? null;
  const entries = movements.map((row) => entryOf(account, row, first));
  if (next !== null || openings.length === 0) return { entries, next };
  const rest = openings.filter(
    ({ position, entry }) => (before === null || position < before) && matches(wanted, entry),
  );
  const added = rest.toReversed().slice(0, limit - entries.length);
  // Movements with the numbers of the openings are from before there were journals.
  const after = added.at(-1)?.position ?? openings.length + 1;
  return { entries: [...entries, ...added], next: added.length < rest.length ? after : null };
}

/** A transaction, with all its entries in journals. */
export interface FullTransaction {
  kind: MovementKind;
  /** RFC 3339. */
  createdAt: string;
  /** All accounts that it moved something from or to. */
  accounts: Pick<Account, 'kind' | 'ownerSeq'>[];
  entries: { account: JournalAccount; entry: FullEntry }[];
}

/** Returns a transaction; null if there is none with this id. @param transactionId `txn_…` */
export async function transactionOf(
  snapshot: Snapshot,
  transactionId: string,
): Promise<FullTransaction | null> {
  const movements = await movementsOfTransaction(snapshot, transactionId);
  const [first] = movements;
  if (first === undefined) return null;
  const entries: FullTransaction['entries'] = [];
  for (const movement of movements)
    for (const account of journalsOf(movement)) {
      const row = await movementIn(snapshot, account, movement.movementSeq);
      if (row === null) continue;
      const name = sideOf(account, movement) === 'credit' ? row.creditor : row.debtor;
      const openings = account.kind === 'pool' ? await openingsIn(snapshot, { ...account, name }) : [];
      const entry = entryOf({ ...account, name }, row, openings.at(-1)?.entryHash ?? null);
      entries.push({ account: { ...account, name }, entry });
    }
  return {
    kind: first.kind,
    createdAt: timestampOf(first.createdAt),
    accounts: movements.flatMap(({ debitKind, debitOwner, creditKind, creditOwner }) => [
      { kind: debitKind, ownerSeq: debitOwner },
      { kind: creditKind, ownerSeq: creditOwner },
    ]),
    entries,
  };
}

/** Returns the accounts in whose journals a movement may have an entry. */
function journalsOf(movement: MovementRow): Pick<JournalAccount, 'kind' | 'ownerSeq'>[] {
  const { debitKind, debitOwner, creditKind, creditOwner, payerHash } = movement;
  const sides = [
    { kind: payerHash === null ? debitKind : 'agent', ownerSeq: debitOwner },
    { kind: creditKind, ownerSeq: creditOwner },
  ];
  return sides.flatMap(({ kind, ownerSeq }) =>
    kind === 'agent' || kind === 'pool' ? [{ kind, ownerSeq }] : [],
  );
}

/** Returns the number of entries in the journal of a pool, and the hash of the newest. */
export async function poolJournalEnd(
  snapshot: Snapshot,
  account: JournalAccount,
): Promise<{ entries: number; head: string | null }> {
  const { movements } = await movementsOf(snapshot, account, ALL, { before: null, limit: 1, most: 1 });
  const [newest] = movements;
  if (newest !== undefined)
    return { entries: newest.movement.poolEntry ?? 0, head: newest.movement.poolHash };
  const openings = await openingsIn(snapshot, account);
  return { entries: openings.length, head: openings.at(-1)?.entryHash ?? null };
}

/** Returns what an agent had of each class when its journal became complete; nothing for a younger agent. */
export async function agentOpening(
  snapshot: Snapshot,
  agentSeq: number,
): Promise<Partial<Record<CreditClass, Opening & { created_at: string }>>> {
  const rows = await openingsOf(snapshot, { kind: 'agent', ownerSeq: agentSeq });
  const opening = rows.flatMap(({ asset, granted, earned, spent, balance, head, createdAt }) => {
    if (head === null) return [];
    const locked = granted + earned - spent - balance;
    const created_at = timestampOf(createdAt);
    return [[asset, { granted, earned, spent, locked, available: balance, entry_hash: head, created_at }]];
  });
  return Object.fromEntries(opening);
}

const ALL: EntryFilter = { kind: null, asset: null, reference: null, from: 0, to: END };

/** Returns the filter of movements; null if none can match. */
function filterOf({ kind, asset, reference, from, to }: EntriesWanted): EntryFilter | null {
  if (kind === 'OPENING') return null;
  return {
    kind: kind ?? null,
    asset: asset ?? null,
    reference: reference ?? null,
    from: from ?? 0,
    to: to ?? END,
  };
}

function matches(
  { kind, asset, reference, from = 0, to = END }: EntriesWanted,
  entry: JournalEntry,
): boolean {
  const time = Date.parse(entry.created_at);
  return (
    (kind === undefined || kind === entry.kind) &&
    (asset === undefined || asset === entry.asset) &&
    reference === undefined &&
    time >= from &&
    time < to
  );
}

/** Returns the first entries of a pool that had credits before it had a journal, oldest first. */
async function openingsIn(snapshot: Snapshot, { ownerSeq, name }: JournalAccount): Promise<FullEntry[]> {
  const rows = await openingsOf(snapshot, { kind: 'pool', ownerSeq });
  return openingEntries(name, rows).map((opening, index) => ({
    ...opening,
    position: index + 1,
    counterparty: opening.detail.debtor,
  }));
}

/** @param first the hash of the entry before the first movement that has one */
function entryOf(
  account: JournalAccount,
  { movement, debtor, creditor, receiptId, previous }: NamedMovement,
  first: string | null,
): FullEntry {
  const { movementSeq, transactionId, ordinal, kind, asset, amount, createdAt, memo, reference, salt } =
    movement;
  const side = sideOf(account, movement);
  const direction = side === 'credit' ? 'credit' : 'debit';
  const [other, otherKind] =
    side === 'credit' ? [debtor, movement.debitKind] : [creditor, movement.creditKind];
  const balanceAfter = {
    debit: movement.debitAfter,
    credit: movement.creditAfter,
    payer: movement.payerAfter,
  }[side];
  const creditClass = creditClassOf(asset);
  if (creditClass === null) throw new Error(`movement ${movementSeq} books cents on an agent or a pool`);
  const hash = hashOf(account, movement);
  if (hash === null || balanceAfter === null)
    throw new Error(`movement ${movementSeq} has no entry for its ${account.kind}`);
  const detail = { creditor, debtor, memo, receipt_id: receiptId, reference, salt };
  return {
    position: movementSeq,
    entry: {
      entry_id: entryId(transactionId, ordinal, direction),
      kind,
      asset: creditClass,
      amount,
      direction,
      of: side === 'payer' ? OF_LOCKED : undefined,
      balance_after: balanceAfter,
      created_at: timestampOf(createdAt),
      detail_hash: detailHash(nativePrimitives, detail),
      prev_entry_hash: (previous === null ? null : hashOf(account, previous)) ?? first,
    },
    entryHash: hash,
    detail,
    counterparty: otherKind === 'locked' && other === account.name ? OWN_LOCKED : other,
  };
}

/** Returns which account of a movement it is; `payer` for the agent whose locked credits another received. */
function sideOf(
  { kind, ownerSeq }: Pick<JournalAccount, 'kind' | 'ownerSeq'>,
  { debitKind, debitOwner, creditKind, creditOwner }: HashedMovement,
): 'debit' | 'credit' | 'payer' {
  if (debitKind === kind && debitOwner === ownerSeq) return 'debit';
  return creditKind === kind && creditOwner === ownerSeq ? 'credit' : 'payer';
}

function hashOf(account: JournalAccount, movement: HashedMovement): string | null {
  if (account.kind === 'pool') return movement.poolHash;
  const { debitHash, creditHash, payerHash } = movement;
  return { debit: debitHash, credit: creditHash, payer: payerHash }[sideOf(account, movement)];
}
