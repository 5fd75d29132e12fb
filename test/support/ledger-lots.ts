/**
 * Lots as the model of the ledger has them: from which payment credits come, and from when they can be
 * withdrawn. It shares no code with the product.
 */
import { DAY_MS } from '../../src/platform/time/units.ts';
import type { CreditClass, Portions } from './ledger-portions.ts';

export interface Lot {
  /** Milliseconds since 1970; 0 for credits that no payment bought. */
  maturesAt: number;
  /** The number of the payment, from 1; 0 for none. */
  payment: number;
  amount: number;
}

/** An account of the model. Credits that are locked have a place for each lock. */
export interface Place {
  name: string;
  balances: Portions;
  /** The operator of the pool, or the sponsor of the agent; null for none. */
  operator: number | null;
  kind: 'pool' | 'agent' | 'lock' | 'unclaimed' | 'revenue';
}

/** All lots of a ledger. */
export class Lots {
  private readonly places = new Map<string, Lot[]>();

  /** @param payers the operator of each payment */
  constructor(private readonly payers: readonly number[]) {}

  /** Returns the lots of a place, those that mature first before the others. */
  of({ name }: Pick<Place, 'name'>, asset: CreditClass): readonly Lot[] {
    return this.places.get(`${name} ${asset}`) ?? [];
  }

  sum(place: Pick<Place, 'name'>, asset: CreditClass): number {
    return this.of(place, asset).reduce((sum, { amount }) => sum + amount, 0);
  }

  /** Returns how many credits of a place mature after a time. */
  unmature(place: Pick<Place, 'name'>, asset: CreditClass, now: number): number {
    return this.of(place, asset).reduce(
      (sum, { maturesAt, amount }) => sum + (maturesAt > now ? amount : 0),
      0,
    );
  }

  /**
   * Takes credits from a place, before its balance changes: first those without a lot, then those that mature
   * first. Of a lock, everything that has a lot is taken: it ends as a whole.
   */
  take(place: Place, asset: CreditClass, amount: number): Lot[] {
    const before = this.of(place, asset);
    const plain = place.kind === 'lock' ? 0 : place.balances[asset] - this.sum(place, asset);
    let left = Math.max(0, amount - plain);
    const [taken, kept]: Lot[][] = [[], []];
    for (const lot of before) {
      const part = Math.min(left, lot.amount);
      left -= part;
      if (part > 0) taken?.push({ ...lot, amount: part });
      if (part < lot.amount) kept?.push({ ...lot, amount: lot.amount - part });
    }
    if (asset === 'paid' && left > 0) throw new Error(`${place.name} has ${left} paid credits without a lot`);
    this.places.set(`${place.name} ${asset}`, kept ?? []);
    return taken ?? [];
  }

  /**
   * Takes credits like `take`, but first those of a payment, of these those that mature last first. Of a lock,
   * the rest stays.
   */
  takeOf(place: Place, asset: CreditClass, amount: number, payment: number): Lot[] {
    const lots = this.of(place, asset);
    const own = lots.filter((lot) => lot.payment === payment).reverse();
    let left = amount;
    const taken: Lot[] = [];
    for (const lot of [...own, ...lots.filter((lot) => lot.payment !== payment)]) {
      const part = Math.min(left, lot.amount);
      left -= part;
      if (part > 0) taken.push({ ...lot, amount: part });
    }
    if (left > 0) throw new Error(`${place.name} has ${left} ${asset} credits without a lot`);
    for (const lot of taken) this.add(place, asset, lot, -lot.amount);
    return taken;
  }

  /** Returns the lots of a payment, wherever they are. */
  named(payment: number, asset: CreditClass): { name: string; lot: Lot }[] {
    return [...this.places].flatMap(([key, lots]) => {
      if (!key.endsWith(` ${asset}`)) return [];
      const name = key.slice(0, -1 - asset.length);
      return lots.filter((lot) => lot.payment === payment).map((lot) => ({ name, lot }));
    });
  }

  /** Gives credits of a lot another time or payment. */
  change(place: Pick<Place, 'name'>, asset: CreditClass, lot: Lot, amount: number, to: Lot): void {
    this.changeAll(asset, [{ place, lot, amount, to }]);
  }

  changeAll(
    asset: CreditClass,
    changes: readonly { place: Pick<Place, 'name'>; lot: Lot; amount: number; to: Lot }[],
  ): void {
    for (const { place, lot, amount } of changes) this.add(place, asset, lot, -amount);
    for (const { place, to, amount } of changes) this.add(place, asset, to, amount);
  }

  private add(place: Pick<Place, 'name'>, asset: CreditClass, lot: Lot, change: number): void {
    const isSame = ({ maturesAt, payment }: Lot) => maturesAt === lot.maturesAt && payment === lot.payment;
    const lots = this.of(place, asset);
    const amount = (lots.find(isSame)?.amount ?? 0) + change;
    if (amount < 0) throw new Error(`${place.name} has ${-amount} ${asset} credits too few`);
    const all = [...lots.filter((one) => !isSame(one)), ...(amount === 0 ? [] : [{ ...lot, amount }])];
    all.sort((one, other) => one.maturesAt - other.maturesAt || one.payment - other.payment);
    this.places.set(`${place.name} ${asset}`, all);
  }

  /**
   * Adds lots to a place. In accounts of others than who paid, the payment of those that matured more than
   * 30 days ago is forgotten, and those of 30 days become one.
   */
  put(place: Place, asset: CreditClass, lots: readonly Lot[], now: number): void {
    if (place.kind === 'revenue' || asset === 'sandbox') return;
    const all = [...this.of(place, asset)];
    for (const lot of lots) {
      const isOfPayer = lot.payment > 0 && this.payers[lot.payment - 1] === place.operator;
      const isForgotten = lot.maturesAt < now - 30 * DAY_MS && !isOfPayer;
      const payment = isForgotten ? 0 : lot.payment;
      const maturesAt = isForgotten ? atMonthsEnd(lot.maturesAt) : lot.maturesAt;
      const same = all.find((one) => one.maturesAt === maturesAt && one.payment === payment);
      if (same === undefined) all.push({ maturesAt, payment, amount: lot.amount });
      else all[all.indexOf(same)] = { ...same, amount: same.amount + lot.amount };
    }
    all.sort((one, other) => one.maturesAt - other.maturesAt || one.payment - other.payment);
    this.places.set(`${place.name} ${asset}`, all);
  }

  /**
   * Returns how many promotional credits of a place the agent of an operator cannot be paid with: all that
   * are not mature, if a purchase of another operator gave some of them.
   */
  bound(place: Place, payeeOperator: number | null, now: number): number {
    const unmature = this.of(place, 'promotional').filter(({ maturesAt }) => maturesAt > now);
    const isForeign = unmature.some(({ payment }) => this.payers[payment - 1] !== payeeOperator);
    return isForeign ? unmature.reduce((sum, { amount }) => sum + amount, 0) : 0;
  }

  /** Returns all lots by place, asset, maturity and payment. */
  all(): Record<string, number> {
    const named: [string, number][] = [];
    for (const [name, lots] of this.places)
      for (const { maturesAt, payment, amount } of lots)
        named.push([`${name} ${maturesAt} ${payment}`, amount]);
    return Object.fromEntries(named.sort(([one], [other]) => (one < other ? -1 : 1)));
  }
}

/** Returns the next time after or at another that is a multiple of 30 days. */
function atMonthsEnd(time: number): number {
  const past = time % (30 * DAY_MS);
  return past === 0 ? time : time + 30 * DAY_MS - past;
}

/** Returns when credits mature: the full hour at or after a number of days; 0 for no days. */
export function matureAfter(now: number, days: number): number {
  const hour = 3_600_000;
  return days === 0 ? 0 : Math.ceil((now + days * DAY_MS) / hour) * hour;
}
