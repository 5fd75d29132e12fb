import type { Transaction } from '../../../platform/store/transaction.ts';
import type { Account, AccountKind, Asset } from '../accounts.ts';
import { isLongMature } from './maturity.ts';
import {
  addToLot,
  firstLots,
  isAgentOfPayer,
  type LotRow,
  lotPaymentOf,
  lotsOfPayment,
  removeLot,
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
 * keep their payment and their time, so credits that are not mature stay so wherever they go.
 */
export async function moveLotsIn(tx: Transaction, movement: LotMovement): Promise<void> {
  const { asset, amount, from, to, source, now } = movement;
  const taken = hasLots(from.account, asset)
    ? await takeIn(tx, movement)
    : source === null
      ? []
      : [{ ...source, amount }];
  if (!hasLots(to.account, asset)) return;
  const target = lotsOf(to, asset);
  for (const lot of taken) await addToLot(tx, { ...target, ...(await rememberedIn(tx, to, lot, now)) });
}

/** Removes lots from the account that is debited. @returns the removed ones */
async function takeIn(
  tx: Transaction,
  { asset, amount, from, plain, ofPayment }: LotMovement,
): Promise<Lot[]> {
  const key = lotsOf(from, asset);
  const taken: Lot[] = [];
  let left = amount;
  const take = async (lots: readonly LotRow[]): Promise<void> => {
    for (const lot of lots) {
      if (left === 0) return;
      const part = Math.min(left, lot.amount);
      if (part === lot.amount) await removeLot(tx, lot);
      else await takeFromLot(tx, { ...lot, taken: part });
      left -= part;
      taken.push({ maturesAt: lot.maturesAt, paymentSeq: lot.paymentSeq, amount: part });
    }
  };
  if (ofPayment !== null) await take(await lotsOfPayment(tx, { ...key, paymentSeq: ofPayment }));
  if (plain !== 'last') left -= Math.min(left, plain);
  for (let limit = FIRST; left > 0; limit = MORE) {
    // Those that were read before are removed by now.
    const lots = await firstLots(tx, { ...key, limit });
    if (lots.length === 0 && plain === 'last') break;
    if (lots.length === 0)
      throw new Error(`the lots of ${key.kind} ${key.ownerSeq} have ${left} ${asset} credits too few`);
    await take(lots);
  }
  return taken;
}

function lotsOf({ account: { kind, ownerSeq }, lock }: LotAccount, asset: Asset) {
  if ((kind === 'locked') !== (lock !== null)) throw new Error(`a lot of ${kind} needs the right lock`);
  return { kind, ownerSeq, asset, lock: lock ?? UNLOCKED };
}

/**
 * Returns a lot as an account keeps it. The payment matters to who paid as long as there can be a dispute. In
 * accounts of others, lots that matured long ago become one, so that an account does not collect lots.
 */
async function rememberedIn(tx: Transaction, { account }: LotAccount, lot: Lot, now: number): Promise<Lot> {
  if (lot.maturesAt === 0 && lot.paymentSeq === 0) return lot;
  if (!isLongMature(lot.maturesAt, now)) return lot;
  if (lot.paymentSeq !== 0 && (await isOfPayerIn(tx, account, lot.paymentSeq))) return lot;
  return { ...NO_PAYMENT, amount: lot.amount };
}

async function isOfPayerIn(
  tx: Transaction,
  { kind, ownerSeq }: Account,
  paymentSeq: number,
): Promise<boolean> {
  if (kind === 'agent' || kind === 'locked') return isAgentOfPayer(tx, { paymentSeq, agentSeq: ownerSeq });
  return kind === 'pool' && (await lotPaymentOf(tx, paymentSeq))?.operatorSeq === ownerSeq;
}

/** Returns the key of the lots of an account that are not locked. */
export const unlockedLots = ({ kind, ownerSeq }: Pick<Account, 'kind' | 'ownerSeq'>, asset: Asset) => ({
  kind,
  ownerSeq,
  asset,
  lock: UNLOCKED,
});
