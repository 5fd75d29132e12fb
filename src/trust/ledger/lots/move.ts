import type { Connection } from '../../../platform/store/connection.ts';
import { runQuery, type Snapshot, type Transaction } from '../../../platform/store/transaction.ts';
import { commonErrors } from '../../http/errors.ts';
import type { Account, AccountKind, Asset } from '../accounts.ts';
import { commonMaturity, isLongMature } from './maturity.ts';
import {
  addToLot,
  firstLots,
  isAgentOfPayer,
  type LotRow,
  lotPaymentOf,
  lotsOfPayment,
  removeLot,
  sumOfFirstLots,
  sumOfLots,
  takeFromLot,
} from './store.ts';

/** A part of a payment's credits that matures at one time. */
export type Lot = Pick<LotRow, 'maturesAt' | 'paymentSeq' | 'amount'>;

/** The payment that bought credits, and when they mature. */
export type LotSource = Pick<LotRow, 'maturesAt' | 'paymentSeq'>;

/** The source of credits that no payment bought: they are mature. */
export const NO_PAYMENT = { maturesAt: 0, paymentSeq: 0 } as const;

/** The lock of credits that are not locked. */
const UNLOCKED = `txn_${'0'.repeat(32)}`;

/**
 * The most lots that one movement takes to another account with lots: about 10 ms. Each has a credit at
 * least, so this many credits can always be moved.
 */
const MOST_LOTS = 1000;

/** The lots that one statement reads first, and then. */
const [FIRST, MORE] = [4, 512];

const KINDS_WITH_LOTS: ReadonlySet<AccountKind> = new Set<AccountKind>([
  'pool',
  'agent',
  'locked',
  'unclaimed',
]);

/** Returns whether credits of an asset in an account of a kind have lots. */
export function hasLots({ kind }: Pick<Account, 'kind'>, asset: Asset): boolean {
  return (asset === 'paid' || asset === 'promotional') && KINDS_WITH_LOTS.has(kind);
}

/** An account with the lock of its credits. */
interface LotAccount {
  account: Account;
  /** Of locked credits, the transaction that locked them; null otherwise. */
  lock: string | null;
}

/** Credits whose lots are moved. */
interface LotMovement {
  asset: Asset;
  amount: number;
  /**
   * How many credits of the account that is debited have no lot. They are taken before those that mature
   * first; `last` takes them after all lots.
   */
  plain: number | 'last';
  from: LotAccount;
  to: LotAccount;
  /** The payment whose lots are taken first; null for those that mature first. */
  ofPayment: number | null;
  /** The lot of credits from an account without lots; null for none. */
  source: LotSource | null;
  /** Milliseconds since 1970. */
  now: number;
}

/**
 * Moves the lots of a movement of credits: from the account that is debited, those that mature first. They
 * keep their payment and their time, so credits that are not mature stay so wherever they go. All statements
 * run at once, because every movement of paid credits needs them.
 * @throws ApiError conflict for more than `MOST_LOTS` lots
 */
export function moveLotsIn(tx: Transaction, movement: LotMovement): Promise<void> {
  return runQuery(tx, (connection) => moveLots(connection, movement));
}

function moveLots(connection: Connection, movement: LotMovement): void {
  const { asset, amount, from, to, source, now } = movement;
  const taken = hasLots(from.account, asset)
    ? takeLots(connection, movement)
    : source === null
      ? []
      : [{ ...source, amount }];
  if (!hasLots(to.account, asset)) return;
  const target = lotsOf(to, asset);
  for (const lot of taken) addToLot.on(connection, { ...target, ...remembered(connection, to, lot, now) });
}

/** Removes lots from the account that is debited. @returns the removed ones */
function takeLots(
  connection: Connection,
  { asset, amount, from, to, plain, ofPayment }: LotMovement,
): readonly Lot[] {
  const isBounded = hasLots(to.account, asset);
  const key = lotsOf(from, asset);
  const taken: Lot[] = [];
  let left = amount;
  const take = (lots: readonly LotRow[]): void => {
    for (const lot of lots) {
      if (left === 0) return;
      if (isBounded && taken.length === MOST_LOTS) throw tooManyLots(amount, amount - left);
      const part = Math.min(left, lot.amount);
      if (part === lot.amount) removeLot.on(connection, lot);
      else takeFromLot.on(connection, { ...lot, taken: part });
      left -= part;
      taken.push({ maturesAt: lot.maturesAt, paymentSeq: lot.paymentSeq, amount: part });
    }
  };
  if (ofPayment !== null) take(lotsOfPayment.on(connection, { ...key, paymentSeq: ofPayment }));
  if (plain !== 'last') left -= Math.min(left, plain);
  for (let limit = FIRST; left > 0; limit = MORE) {
    // Those that were read before are removed by now.
    const lots = firstLots.on(connection, { ...key, limit });
    if (lots.length === 0 && plain === 'last') break;
    if (lots.length === 0)
      throw new Error(`the lots of ${key.kind} ${key.ownerSeq} have ${left} ${asset} credits too few`);
    take(lots);
  }
  return taken;
}

/** @param most how many of the credits can be moved */
function tooManyLots(amount: number, most: number) {
  return commonErrors.conflict({
    message: `The ${amount} credits come from more than ${MOST_LOTS} payments with holds of their own. At most ${most} can be moved at once. Send ${most} or fewer, then the rest.`,
  });
}

function lotsOf({ account: { kind, ownerSeq }, lock }: LotAccount, asset: Asset) {
  if ((kind === 'locked') !== (lock !== null)) throw new Error(`a lot of ${kind} needs the right lock`);
  return { kind, ownerSeq, asset, lock: lock ?? UNLOCKED };
}

/**
 * Returns a lot as an account keeps it. The payment matters to who paid as long as there can be a dispute. In
 * accounts of others, lots that matured long ago in 30 days become one, so that an account collects few lots.
 */
function remembered(connection: Connection, { account }: LotAccount, lot: Lot, now: number): Lot {
  if (lot.maturesAt === 0 && lot.paymentSeq === 0) return lot;
  if (!isLongMature(lot.maturesAt, now)) return lot;
  if (lot.paymentSeq !== 0 && isOfPayer(connection, account, lot.paymentSeq)) return lot;
  return { ...NO_PAYMENT, maturesAt: commonMaturity(lot.maturesAt), amount: lot.amount };
}

function isOfPayer(connection: Connection, { kind, ownerSeq }: Account, paymentSeq: number): boolean {
  if (kind === 'agent' || kind === 'locked')
    return isAgentOfPayer.on(connection, { paymentSeq, agentSeq: ownerSeq });
  return kind === 'pool' && lotPaymentOf.on(connection, paymentSeq)?.operatorSeq === ownerSeq;
}

/** Returns the key of the lots of an account that are not locked. */
export const unlockedLots = ({ kind, ownerSeq }: Pick<Account, 'kind' | 'ownerSeq'>, asset: Asset) => ({
  kind,
  ownerSeq,
  asset,
  lock: UNLOCKED,
});

/**
 * Returns how many credits of an asset one movement can take from an account that is not locked.
 * @param balance of the account in the asset
 */
export async function movableIn(
  snapshot: Snapshot,
  account: Account,
  asset: Asset,
  balance: number,
): Promise<number> {
  if (balance <= MOST_LOTS || !hasLots(account, asset)) return balance;
  const inLots = await sumOfFirstLots(snapshot, { ...unlockedLots(account, asset), limit: MOST_LOTS });
  const rest = await sumOfLots(snapshot, unlockedLots(account, asset));
  return balance - ((rest ?? 0) - (inLots ?? 0));
}
