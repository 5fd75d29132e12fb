import type { Store } from '../../store/store.ts';
import type { Transaction } from '../../store/transaction.ts';
import type { Clock } from '../../time/clock.ts';
import { DAY_MS } from '../../time/units.ts';
import { keyedHashIn } from './keyed-hash.ts';
import { deleteProvisions, insertProvision, oldestProvision } from './store.ts';

/** The rows that one transaction deletes. */
const DELETED = 500;

/**
 * Limits what a client address without an API key is given in a day. The counts are rows, so a restart
 * changes nothing. Addresses are stored as keyed hashes, for a day.
 */
export class DailyLimit {
  /** @param limit per client address and day; null for no limit, with which nothing is stored */
  constructor(
    private readonly clock: Clock,
    readonly limit: number | null,
  ) {}

  /**
   * Counts one, unless the address has reached the limit.
   * @param address of the client, as the rate limits see it
   * @returns null if it was counted, else the seconds until the next one may be
   */
  async countIn(tx: Transaction, address: string): Promise<number | null> {
    const { limit } = this;
    if (limit === null) return null;
    const now = this.clock.now();
    const since = now - DAY_MS;
    const addressHash = await keyedHashIn(tx, address);
    if ((await insertProvision(tx, { addressHash, createdAt: now, since, limit })) > 0) return null;
    const oldest = await oldestProvision(tx, { addressHash, since });
    return Math.max(1, Math.ceil(((oldest ?? now) - since) / 1000));
  }

  /** Deletes the rows that are older than a day. */
  async deleteOld(store: Pick<Store, 'writeAsService'>): Promise<void> {
    const until = this.clock.now() - DAY_MS;
    while ((await store.writeAsService((tx) => deleteProvisions(tx, { until, limit: DELETED }))) === DELETED);
  }
}
