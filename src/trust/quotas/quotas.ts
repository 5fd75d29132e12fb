import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { WindowCounter } from '../../platform/time/window-counter.ts';
import { trustError } from '../http/dialect.ts';
import { type Account, addBytesStored, bytesStored } from './store.ts';

/** Limits of what one payer may write; null for none. */
export interface Quota {
  writesPerMinute: number | null;
  storedBytes: number | null;
  webhooks: number;
}

/** What the settings say of quotas. */
export interface QuotaLimits {
  /** Of each operator that provisioned itself, and of each agent without a sponsor. */
  free: Quota;
  /** Of every other operator. */
  other: Quota;
  /** What all on the plan FREE may store together, in bytes. */
  freeTotalBytes: number;
  /** How many agents may enroll without a sponsor from one address in a day; null for no limit. */
  provisionsPerDay: number | null;
}

/** Who is charged for a write: an operator, or an agent that has no sponsor. */
export interface Payer {
  payer: 'operator' | 'agent';
  payerSeq: number;
  /** Whether the quota of the plan FREE holds for it. */
  isFree: boolean;
}

/** Whether a write may be refused for a quota. What protects or ends something, such as revoking, is charged and never refused. */
export type Refusal = 'refusable' | 'never refused';

/** What a transaction adds, by the account's name. */
type Added = Map<string, Account & { bytes: number }>;

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** From this share of what all on FREE may store, nobody new is let in without a sponsor. */
const PROVISIONS_UNTIL = 0.75;
/** So many payers' bytes are kept in memory. */
const CACHED = 10_000;
const ALL_FREE: Account = { payer: 'free', payerSeq: 0 };

/**
 * Counts what each payer writes, against its quota. Bytes are added up in memory for all writes that share a transaction and written once
 * a payer before its commit, so that the count is as durable as what it counts.
 *
 * What holds a count against a limit and raises it never waits in between, so that nobody else is let in meanwhile on what is left.
 * Those that may have to read return undefined where everything is in memory, so that a known payer waits for nothing.
 */
export class Quotas {
  private readonly writes: WindowCounter;
  private readonly provisions: WindowCounter;
  /** Checks under way by payer. */
  private readonly checks = new Map<string, number>();
  /** Durable bytes by payer. */
  private readonly stored = new Map<string, number>();
  /** What the transaction `shared` adds, by payer. */
  private added: Added = new Map();
  private shared: object | null = null;

  constructor(
    clock: Clock,
    private readonly limits: QuotaLimits,
  ) {
    this.writes = new WindowCounter(clock, MINUTE_MS);
    this.provisions = new WindowCounter(clock, DAY_MS);
  }

  /** The quota that holds for a payer. */
  quotaOf({ isFree }: Pick<Payer, 'isFree'>): Quota {
    return isFree ? this.limits.free : this.limits.other;
  }

  /** Counts a write before it is made. @throws ApiError rate_limit_exceeded, quota_exceeded */
  admitIn(tx: Transaction, payer: Payer, refusal: Refusal): Promise<void> | undefined {
    if (refusal === 'refusable') this.requireWrites(payer);
    this.writes.add(nameOf(payer));
    return this.withRoomIn(tx, payer, 0, refusal, () => undefined);
  }

  /**
   * Runs a check that costs as much as the write that it is made for. One that fails is counted as a write, and none is begun
   * without a write left for it, so that what is refused comes no more often than what is written.
   * @throws ApiError rate_limit_exceeded; what the check throws
   */
  async checked<T>(payer: Payer, check: () => Promise<T>): Promise<T> {
    this.requireWrites(payer);
    const name = nameOf(payer);
    this.checks.set(name, (this.checks.get(name) ?? 0) + 1);
    try {
      return await check();
    } catch (error) {
      this.writes.add(name);
      throw error;
    } finally {
      const others = (this.checks.get(name) ?? 1) - 1;
      if (others === 0) this.checks.delete(name);
      else this.checks.set(name, others);
    }
  }

  /** Charges a write with what it stored. @throws ApiError quota_exceeded */
  chargeIn(tx: Transaction, payer: Payer, bytes: number, refusal: Refusal): Promise<void> | undefined {
    return this.withRoomIn(tx, payer, bytes, refusal, () => {
      this.resetTo(tx);
      // What is charged last has succeeded: all that is added up is committed together, or nothing.
      if (this.added.size === 0) {
        const { added } = this;
        tx.beforeCommit((last) => addBytesStored(last, added.values()));
        tx.afterCommit(() => this.isDurable(added));
      }
      this.add(payer, bytes);
      if (payer.isFree) this.add(ALL_FREE, bytes);
    });
  }

  /**
   * Counts an agent that enrolls without a sponsor. To be called when everything else about it is right.
   * @param caller the address that it comes from, as limits count addresses
   * @throws ApiError rate_limit_exceeded, quota_exceeded
   */
  async provisionIn(tx: Transaction, caller: string): Promise<void> {
    const durable = await this.durableIn(tx, ALL_FREE);
    const { provisionsPerDay, freeTotalBytes } = this.limits;
    if (provisionsPerDay !== null && this.provisions.count(caller) >= provisionsPerDay) {
      throw trustError('rate_limit_exceeded', {
        message: `At most ${provisionsPerDay} agents per day can enroll without a sponsor from one address. Enroll with the API key of a sponsor, or wait.`,
        headers: { 'retry-after': String(this.provisions.secondsLeft(caller)) },
      });
    }
    if (durable + this.addedIn(tx, ALL_FREE) >= PROVISIONS_UNTIL * freeTotalBytes) {
      throw trustError('quota_exceeded', {
        message:
          'The storage for agents without a sponsor is nearly full, so no new agent can enroll without one. Enroll with the API key of a sponsor.',
      });
    }
    this.provisions.add(caller);
  }

  /** What a payer has used of its quota. */
  async usageOf(
    snapshot: Snapshot,
    payer: Payer,
  ): Promise<{ writesThisMinute: number; storedBytes: number }> {
    const storedBytes = await bytesStored(snapshot, payer);
    return { writesThisMinute: this.writes.count(nameOf(payer)), storedBytes };
  }

  /** @throws ApiError rate_limit_exceeded when what was counted, and the checks under way, leave none */
  private requireWrites(payer: Payer): void {
    const { writesPerMinute } = this.quotaOf(payer);
    const name = nameOf(payer);
    const used = this.writes.count(name) + (this.checks.get(name) ?? 0);
    if (writesPerMinute === null || used < writesPerMinute) return;
    throw trustError('rate_limit_exceeded', {
      message: `The quota of ${writesPerMinute} writes per minute is used up. Wait for the seconds in the Retry-After header.`,
      headers: { 'retry-after': String(this.writes.secondsLeft(name)) },
    });
  }

  /**
   * Calls `act` if the payer may store so many bytes more: at once, or after what it has stored was read. Nothing happens between the
   * comparison and `act`. @throws ApiError quota_exceeded, or rejects with it
   */
  private withRoomIn(
    tx: Transaction,
    payer: Payer,
    bytes: number,
    refusal: Refusal,
    act: () => void,
  ): Promise<void> | undefined {
    const isLimited = refusal === 'refusable';
    const own = isLimited && this.quotaOf(payer).storedBytes !== null ? this.durableIn(tx, payer) : 0;
    const free = isLimited && payer.isFree ? this.durableIn(tx, ALL_FREE) : 0;
    const go = (ownBytes: number, freeBytes: number): void => {
      if (isLimited) this.requireStorage(tx, payer, bytes, { own: ownBytes, free: freeBytes });
      act();
    };
    if (typeof own !== 'number' || typeof free !== 'number')
      return Promise.all([own, free]).then(([ownBytes, freeBytes]) => go(ownBytes, freeBytes));
    go(own, free);
    return undefined;
  }

  /** @param durable bytes of the payer, and of all on FREE @throws ApiError quota_exceeded */
  private requireStorage(
    tx: Transaction,
    payer: Payer,
    bytes: number,
    durable: { own: number; free: number },
  ): void {
    const { storedBytes } = this.quotaOf(payer);
    const used = durable.own + this.addedIn(tx, payer);
    // A payer that has used all stores nothing more, and whoever has not stores nothing beyond it.
    if (storedBytes !== null && (used >= storedBytes || used + bytes > storedBytes)) {
      throw trustError('quota_exceeded', {
        message: `The quota of ${storedBytes} stored bytes has only ${Math.max(0, storedBytes - used)} left. Ask the operator of this service for more.`,
      });
    }
    if (payer.isFree && durable.free + this.addedIn(tx, ALL_FREE) + bytes >= this.limits.freeTotalBytes) {
      throw trustError('quota_exceeded', {
        message:
          'The storage that all operators on the plan FREE share is full. Ask the operator of this service for another plan.',
      });
    }
  }

  /** What an earlier transaction added is durable by now, or was rolled back. */
  private resetTo(tx: Transaction): void {
    if (this.shared === tx.shared) return;
    this.shared = tx.shared;
    this.added = new Map();
  }

  /** What an account has stored without what this transaction adds, which is written at its end: at once where it is in memory. */
  private durableIn(tx: Transaction, account: Account): number | Promise<number> {
    return this.stored.get(nameOf(account)) ?? this.readIn(tx, account);
  }

  private async readIn(tx: Transaction, account: Account): Promise<number> {
    this.resetTo(tx);
    const durable = await bytesStored(tx, account);
    // What was read before a commit says nothing after it.
    if (this.shared === tx.shared) {
      if (this.stored.size >= CACHED) this.stored.clear();
      this.stored.set(nameOf(account), durable);
    }
    return durable;
  }

  /** What this transaction adds to an account. */
  private addedIn(tx: Transaction, account: Account): number {
    this.resetTo(tx);
    return this.added.get(nameOf(account))?.bytes ?? 0;
  }

  private add({ payer, payerSeq }: Account, bytes: number): void {
    const name = nameOf({ payer, payerSeq });
    const added = this.added.get(name);
    if (added === undefined) this.added.set(name, { payer, payerSeq, bytes });
    else added.bytes += bytes;
  }

  private isDurable(added: Added): void {
    // The transaction is over: what it read is not remembered any more.
    this.shared = null;
    for (const [name, { bytes }] of added) {
      const durable = this.stored.get(name);
      if (durable !== undefined) this.stored.set(name, durable + bytes);
    }
  }
}

function nameOf({ payer, payerSeq }: Account): string {
  return `${payer} ${payerSeq}`;
}
