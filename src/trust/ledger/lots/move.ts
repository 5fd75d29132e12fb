import type { Connection } from '../../../platform/store/connection.ts';
import { runQuery, type Snapshot, type Transaction } from '../../../platform/store/transaction.ts';
import { commonErrors } from '../../http/errors.ts';
import type { Account, AccountKind, Asset } from '../accounts.ts';
import { commonMaturity, isLongMature } from './maturity.ts';
import {
  addToLot,
  copyLotsBefore,
  firstLots,
  isAgentOfPayer,
  type LotRow,
  lastLot,
  lotPaymentOf,
  lotsOfPayment,
  reachingLot,
  removeLot,
  removeLotsBefore,
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
 * The most lots that one movement takes to another account with lots: about 2 ms. Each has a credit at
 * least, so this many credits can always be moved.
 */
const MOST_LOTS = 500;

/** The lots that are moved one by one, which is faster for few, before all others are moved at once. */
const FEW = 4;

/** The lots that are removed at once. */
const MANY = 4096;

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
  const target = hasLots(to.account, asset) ? lotsOf(to, asset) : null;
  const add = (lot: Lot): void => {
    if (target !== null) addToLot.on(connection, { ...target, ...remembered(connection, to, lot, now) });
  };
  if (hasLots(from.account, asset)) takeLots(connection, movement, target, add);
  else if (source !== null) add({ ...source, amount });
}

/**
 * Takes the lots of a movement from the account that is debited.
 * @param target the lots of the account that is credited; null for one without lots
 * @param add puts one of them there
 */
function takeLots(
  connection: Connection,
  { amount, asset, from, plain, ofPayment, now }: LotMovement,
  target: LotsKey | null,
  add: (lot: Lot) => void,
): void {
  const key = lotsOf(from, asset);
  let left = amount;
  let count = 0;
  const most = (): number => (target === null ? MANY : MOST_LOTS - count);
  const take = (lots: readonly LotRow[]): void => {
    for (const lot of lots) {
      if (left === 0) return;
      if (most() === 0) throw tooManyLots(amount, amount - left);
      const part = Math.min(left, lot.amount);
      if (part === lot.amount) removeLot.on(connection, lot);
      else takeFromLot.on(connection, { ...lot, taken: part });
      left -= part;
      count += 1;
      add({ maturesAt: lot.maturesAt, paymentSeq: lot.paymentSeq, amount: part });
    }
  };
  /** Takes all lots at once that are needed: they keep their payment and their time. */
  const takeMany = (): void => {
    const first = { ...key, limit: most() };
    const last = reachingLot.on(connection, { ...first, amount: left }) ?? lastLot.on(connection, first);
    if (last === null) return;
    const { lot, sum, lots } = last;
    if (target !== null && sum < left && lots === most()) throw tooManyLots(amount, amount - left + sum);
    if (target !== null) copyLotsBefore.on(connection, { ...lot, ...prefixed(target) });
    removeLotsBefore.on(connection, lot);
    left -= sum - lot.amount;
    count += lots - 1;
    take([lot]);
  };
  if (ofPayment !== null) take(lotsOfPayment.on(connection, { ...key, paymentSeq: ofPayment }));
  if (plain !== 'last') left -= Math.min(left, plain);
  for (let round = 0; left > 0; round++) {
    // Those that were read before are removed by now.
    const lots = firstLots.on(connection, { ...key, limit: FEW });
    const [first] = lots;
    if (first === undefined && plain === 'last') return;
    if (first === undefined)
      throw new Error(`the lots of ${key.kind} ${key.ownerSeq} have ${left} ${asset} credits too few`);
    // What matured long ago may lose its payment, each lot by itself.
    if (round === 0 || (target !== null && isLongMature(first.maturesAt, now))) take(lots);
    else takeMany();
  }
}

type LotsKey = ReturnType<typeof lotsOf>;

/** Returns the key of the lots of an account that others are copied to. */
const prefixed = ({ kind, ownerSeq, lock }: LotsKey) => ({
  toKind: kind,
  toOwnerSeq: ownerSeq,
  toLock: lock,
});

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
