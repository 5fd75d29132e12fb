import { randomBytes } from 'node:crypto';
import { ASSETS } from '../../../db/trust/ledger-enums.ts';
import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { timestampOf } from '../../platform/time/timestamp.ts';
import { detailHash, entryId, OF_LOCKED } from '../../proof/ledger/journal-entry.ts';
import { commonErrors } from '../http/errors.ts';
import type { OperatorsPolicy } from '../operators/settings.ts';
import { type Account, type Asset, creditsOf, type MovementKind, mayBeNegative } from './accounts.ts';
import { ledgerErrors } from './errors.ts';
import { entered, type JournalState, journalOwner, openingEntries } from './journal-entries.ts';
import { boundIn } from './lots/bound.ts';
import { hasLots, type LotSource, moveLotsIn, NO_PAYMENT } from './lots/move.ts';
import { byClass, largestDebit, type Portions, portionsOf } from './portions.ts';
import {
  accountState,
  insertMovement,
  lockedState,
  markNewest,
  putJournalEnds,
  type StateRow,
} from './posting-store.ts';
import { type MovementRow, newestMovementSeq, openingsOf } from './store.ts';
import { countedForTier, tierOf } from './tiers.ts';

/** The parts of the service that moving credits uses. */
export type LedgerContext = { clock: Clock; ids: Ids; policy: OperatorsPolicy };

/** The reason, the accounts and the texts of a movement. */
interface Occasion {
  kind: MovementKind;
  from: Account;
  to: Account;
  /** The other thing that the movement belongs to, such as a task_id; 1 to 256 characters. */
  reference?: string | null;
  /** The payer's note; 1 to 256 characters. */
  memo?: string | null;
  /** The receipt that the movement belongs to. It must exist. */
  receipt?: { receiptSeq: number; receiptId: string } | null;
  /** Of locked credits, the transaction that locked them. */
  lock?: string;
}

/** A movement of exact amounts, by asset. */
export interface Posting extends Occasion {
  portions: Readonly<Partial<Record<Asset, number>>>;
  /** The lot of credits from issuance; without it, paid credits are mature. */
  lot?: LotSource;
  /** The payment whose lots are debited before others; without it, those that mature first. */
  ofPayment?: number;
}

/** A movement of credits whose classes the debit chooses. */
export interface Payment extends Occasion {
  /** At least 1. */
  amount: number;
  /** The account that locked credits are for; without it, the account that is credited. */
  payee?: Account;
}

/** A transaction of the ledger. */
export interface Posted {
  /** `txn_…`. */
  transactionId: string;
  /** RFC 3339. */
  createdAt: string;
}

/** The state of an account in a transaction: it changes with each movement. */
interface State {
  account: Account;
  balances: Map<Asset, number>;
  /** What an agent was granted and earned, by asset. It limits all other figures. */
  received: Map<Asset, number>;
  /** How many of its credits have lots, by asset. */
  lots: Map<Asset, number>;
  /** The newest movement; null before the first. */
  lastSeq: number | null;
  /** The journal of an agent's available credits, or of a pool. */
  journal: JournalState | null;
}

/** The accounts of a movement. */
interface Sides {
  debit: State;
  credit: State;
  /** The available credits of the agent whose locked credits go to another account, which it spends so. */
  payer: State | null;
}

/** One entry of a journal in this many is marked, so that a page of some time in the past is found. */
const MARKED = 256;

/** The largest number of all amounts, balances and figures. */
const MOST = Number.MAX_SAFE_INTEGER;

/**
 * Moves amounts from one account to another as one transaction: a movement for each asset, and in the same
 * database transaction the balances, the journals and the evaluated tiers of both sides.
 * @throws ApiError insufficient_credits; conflict when a balance or a figure would exceed 2^53 − 1
 */
export async function postIn(tx: Transaction, ledger: LedgerContext, posting: Posting): Promise<Posted> {
  const { from, to } = posting;
  const [debit, payer] = isSpentLock(from, to)
    ? await lockedStatesIn(tx, from)
    : [await stateIn(tx, from), null];
  return bookIn(tx, ledger, posting, { debit, payer });
}

/**
 * Moves credits like `postIn`, of the classes that a debit takes (`portionsOf`). Payments to others leave out
 * the promotional credits of a purchase that are not mature.
 * @returns the transaction, and how much of each class it took
 * @throws ApiError as `postIn`
 */
export async function payIn(
  tx: Transaction,
  ledger: LedgerContext,
  { amount, payee, ...occasion }: Payment,
): Promise<Posted & { portions: Portions }> {
  const { from, to } = occasion;
  const debit = await stateIn(tx, from);
  const balances = creditsOfState(debit);
  const lots = debit.lots.get('promotional') ?? 0;
  const bound = await boundIn(tx, { from, payee: payee ?? to, lots }, ledger.clock.now());
  const available = { ...balances, promotional: balances.promotional - bound.amount };
  const portions = portionsOf(available, amount);
  if (portions === null)
    throw insufficient(
      from,
      `${countOfCredits(largestDebit(available))} that it can spend at once`,
      amount,
      bound.reason,
    );
  return { portions, ...(await bookIn(tx, ledger, { ...occasion, portions }, { debit, payer: null })) };
}

/**
 * Returns the error for an account with too few credits.
 * @param balance such as `5 paid credits` @param reason a sentence with a space before it, or nothing
 */
function insufficient({ kind }: Account, balance: string, amount: number, reason = '') {
  const payer =
    kind === 'pool'
      ? 'The pool of the operator'
      : kind === 'unclaimed'
        ? 'The account unclaimed'
        : 'The payer';
  // Only revoked agents fill the account.
  const remedy =
    kind === 'unclaimed' ? 'Transfer fewer.' : 'Add credits to it, or send a request that needs fewer.';
  return ledgerErrors.insufficient_credits({
    message: `${payer} has ${balance}, and the request needs ${amount}.${reason} ${remedy}`,
  });
}

function countOfCredits(count: number, creditClass = ''): string {
  return `${count} ${creditClass}${count === 1 ? 'credit' : 'credits'}`;
}

async function bookIn(
  tx: Transaction,
  { clock, ids, policy }: LedgerContext,
  posting: Posting,
  { debit, payer }: Omit<Sides, 'credit'>,
): Promise<Posted> {
  const { portions, ...occasion } = posting;
  const credit = await stateIn(tx, occasion.to);
  const sides = { debit, credit, payer };
  const states = payer === null ? [debit, credit] : [debit, credit, payer];
  const now = clock.now();
  // The last four bits of the id number the entries.
  const transactionId = `${ids.newId('txn_').slice(0, -1)}0`;
  const createdAt = timestampOf(now);
  let ordinal = 0;
  for (const asset of ASSETS) {
    const amount = portions[asset] ?? 0;
    if (amount === 0) continue;
    const part = { transactionId, ordinal, asset, amount, now, createdAt };
    if (ordinal > 0) {
      const newest = await newestMovementSeq(tx);
      for (const state of states) state.lastSeq = newest;
    }
    const before = debit.balances.get(asset) ?? 0;
    const row = moved(part, occasion, sides);
    await lotsIn(tx, part, posting, debit.lots.get(asset) ?? 0, before);
    await insertMovement(tx, row);
    for (const { account, journal } of states)
      if (journal !== null && journal.entries % MARKED === 0)
        await markNewest(tx, { kind: account.kind, ownerSeq: account.ownerSeq, createdAt: now });
    ordinal += 1;
  }
  const ends = states.flatMap((state) => {
    const { account, journal } = state;
    if (journal === null || account.kind !== 'agent') return [];
    const evaluatedTier = tierOf(countedForTier(creditsOfState(state)), policy.tiers);
    const { entries, head } = journal;
    return { agentSeq: account.ownerSeq, entries, head, evaluatedTier, evaluatedAt: now };
  });
  if (ends.length > 0) await putJournalEnds(tx, ends);
  return { transactionId, createdAt };
}

/**
 * Moves the lots of a movement. Promotional credits that no purchase gave have none.
 * @param lots how many of the credits of the account that is debited have lots, `before` the movement
 */
async function lotsIn(
  tx: Transaction,
  { asset, amount, transactionId, now }: Part,
  { from, to, lock, lot, ofPayment }: Posting,
  lots: number,
  before: number,
): Promise<void> {
  const [isLeft, isKept] = [hasLots(from, asset), hasLots(to, asset)];
  const source = isLeft ? null : (lot ?? (asset === 'paid' ? NO_PAYMENT : null));
  if (isLeft ? asset === 'promotional' && lots === 0 : !isKept || source === null) return;
  await moveLotsIn(tx, {
    asset,
    amount,
    from: { account: from, lock: lock ?? null },
    to: { account: to, lock: to.kind === 'locked' ? transactionId : null },
    plain: asset === 'paid' ? 0 : from.kind === 'locked' ? 'last' : before - lots,
    ofPayment: ofPayment ?? null,
    source,
    now,
  });
}

/** Returns whether locked credits go to another account than the available ones of their agent. */
function isSpentLock(from: Account, to: Account): boolean {
  return from.kind === 'locked' && !(to.kind === 'agent' && to.ownerSeq === from.ownerSeq);
}

/** Reads an account. */
async function stateIn(tx: Transaction, account: Account): Promise<State> {
  const state = stateOf(account, await accountState(tx, account));
  const { journal, lastSeq } = state;
  if (journal !== null && journal.head === null && lastSeq !== null && account.kind === 'pool') {
    // Its newest movement is from before pools had journals.
    const openings = openingEntries(account.name, await openingsOf(tx, account));
    journal.entries = openings.length;
    journal.head = openings.at(-1)?.entryHash ?? null;
  }
  return state;
}

/** Reads the locked credits of an agent, and its available ones. */
async function lockedStatesIn(tx: Transaction, locked: Account): Promise<[State, State]> {
  const available = creditsOf({ agentSeq: locked.ownerSeq, subjectCommitment: locked.name });
  const rows = await lockedState(tx, locked.ownerSeq);
  const state = (account: Account): State =>
    stateOf(
      account,
      rows.filter(({ kind }) => kind === account.kind),
    );
  return [state(locked), state(available)];
}

function stateOf(account: Account, rows: readonly StateRow[]): State {
  const balances = new Map(rows.map(({ asset, balance }) => [asset, balance]));
  const received = new Map(rows.map(({ asset, received }) => [asset, received]));
  const lots = new Map(rows.map(({ asset, lots }) => [asset, lots ?? 0]));
  const last = rows.reduce<StateRow | null>(
    (newest, row) => ((row.lastSeq ?? 0) > (newest?.lastSeq ?? 0) ? row : newest),
    null,
  );
  const owner = journalOwner(account);
  const journal = owner === null ? null : { owner, entries: last?.entries ?? 0, head: last?.head ?? null };
  return { account, balances, received, lots, lastSeq: last?.lastSeq ?? null, journal };
}

function creditsOfState({ balances }: State): Portions {
  return byClass((name) => balances.get(name) ?? 0);
}

/** One movement of a transaction. */
interface Part {
  transactionId: string;
  ordinal: number;
  asset: Asset;
  amount: number;
  /** Milliseconds since 1970. */
  now: number;
  /** The same, RFC 3339. */
  createdAt: string;
}

/** Applies a movement to the states of its accounts. @returns its row */
function moved(
  part: Part,
  { kind, reference = null, memo = null, receipt = null, from, to }: Occasion,
  { debit, credit, payer }: Sides,
): Omit<MovementRow, 'movementSeq'> {
  const { asset, amount, transactionId, ordinal, now } = part;
  const debitAfter = (debit.balances.get(asset) ?? 0) - amount;
  const creditAfter = (credit.balances.get(asset) ?? 0) + amount;
  if (debitAfter < 0 && !mayBeNegative(from.kind))
    throw insufficient(from, countOfCredits(debitAfter + amount, `${asset} `), amount);
  debit.balances.set(asset, debitAfter);
  credit.balances.set(asset, creditAfter);
  if (to.kind === 'agent' && !(from.kind === 'locked' && from.ownerSeq === to.ownerSeq))
    credit.received.set(asset, (credit.received.get(asset) ?? 0) + amount);
  if (debitAfter < -MOST || [credit.balances, credit.received].some(exceeds)) throw tooMuch();
  const salt = randomBytes(16).toString('hex');
  const detail = detailHash(nativePrimitives, {
    creditor: to.name,
    debtor: from.name,
    memo,
    receipt_id: receipt?.receiptId ?? null,
    reference,
    salt,
  });
  const payerAfter = payer === null ? null : (payer.balances.get(asset) ?? 0);
  const debitHash = enteredPart(debit, part, kind, 'debit', debitAfter, detail);
  const creditHash = enteredPart(credit, part, kind, 'credit', creditAfter, detail);
  const pool = from.kind === 'pool' ? debit.journal : to.kind === 'pool' ? credit.journal : null;
  return {
    transactionId,
    ordinal,
    kind,
    asset,
    amount,
    debitKind: from.kind,
    debitOwner: from.ownerSeq,
    creditKind: to.kind,
    creditOwner: to.ownerSeq,
    debitAfter,
    creditAfter,
    debitPrev: debit.lastSeq,
    creditPrev: credit.lastSeq,
    createdAt: now,
    reference,
    memo,
    receiptSeq: receipt?.receiptSeq ?? null,
    salt,
    debitHash: from.kind === 'agent' ? debitHash : null,
    creditHash: to.kind === 'agent' ? creditHash : null,
    poolHash: pool?.head ?? null,
    poolEntry: pool?.entries ?? null,
    payerPrev: payer?.lastSeq ?? null,
    payerAfter,
    payerHash:
      payer === null ? null : enteredPart(payer, part, kind, 'debit', payerAfter ?? 0, detail, OF_LOCKED),
  };
}

/**
 * Adds the entry of a movement to the journal of an account.
 * @returns its hash; null for an account without a journal
 */
function enteredPart(
  { journal }: State,
  { transactionId, ordinal, asset, amount, createdAt }: Part,
  kind: MovementKind,
  direction: 'debit' | 'credit',
  balanceAfter: number,
  detail: string,
  of?: typeof OF_LOCKED,
): string | null {
  if (journal === null) return null;
  return entered(journal, {
    entry_id: entryId(transactionId, ordinal, direction),
    kind,
    asset,
    amount,
    direction,
    of,
    balance_after: balanceAfter,
    created_at: createdAt,
    detail_hash: detail,
  });
}

/** Returns whether an amount is too large, or the public sum of promotional and paid credits. */
function exceeds(amounts: ReadonlyMap<Asset, number>): boolean {
  const of = (asset: Asset) => amounts.get(asset) ?? 0;
  return (
    of('promotional') + of('paid') > MOST ||
    of('sandbox') > MOST ||
    of('cents') > MOST ||
    of('sandbox_cents') > MOST
  );
}

/** Returns the error for a movement after which a balance would be larger than numbers can be. */
function tooMuch() {
  return commonErrors.conflict({
    message:
      'After this movement a balance or a sum of all time would exceed 9007199254740991. Send a smaller amount.',
  });
}
