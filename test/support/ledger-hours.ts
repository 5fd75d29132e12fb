import { HOUR_MS } from '../../src/platform/time/units.ts';

/** Amounts by hour, as the model of the ledger counts what a day allows. No code is the product's. */

export class Hours {
  private readonly amounts = new Map<string, Map<number, number>>();

  add(name: string | number, now: number, amount: number): void {
    const hour = Math.floor(now / HOUR_MS);
    const hours = this.amounts.get(`${name}`) ?? new Map<number, number>();
    this.amounts.set(`${name}`, hours.set(hour, (hours.get(hour) ?? 0) + amount));
  }

  /** Returns what was added since the begin of the hour 24 hours ago. */
  ofDay(name: string | number, now: number): number {
    const first = Math.floor(now / HOUR_MS) - 24;
    let sum = 0;
    for (const [hour, amount] of this.amounts.get(`${name}`) ?? []) if (hour >= first) sum += amount;
    return sum;
  }

  inAll(name: string | number): number {
    let sum = 0;
    for (const amount of this.amounts.get(`${name}`)?.values() ?? []) sum += amount;
    return sum;
  }
}
