import { DailyLimit } from '../../../platform/http/daily-limit/daily-limit.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Snapshot, Transaction } from '../../../platform/store/transaction.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { MINUTE_MS } from '../../../platform/time/units.ts';
import { WindowCounter } from '../../../platform/time/window-counter.ts';
import { commonErrors } from '../../http/errors.ts';
import { quotasErrors } from './errors.ts';
import { networkOfCaller, networkSeqIn } from './networks.ts';
import { insertPayerNetwork, networkOfPayer } from './networks-store.ts';
import { type Account, addBytesStored, bytesStored } from './store.ts';

/** The limits of one payer; null for no limit. */
export interface Quota {
  writesPerMinute: number | null;
  storedBytes: number | null;
  webhooks: number;
}

/** The quotas from the settings. */
export interface QuotaLimits {
  /**
   * The quota of each operator on FREE that is self-provisioned or had a subscription, and of each agent
   * without a sponsor.
   */
  free: Quota;
  /** The quota of every other operator. */
  other: Quota;
  /** The bytes that all payers with the quota of FREE may store together. */
  freeTotalBytes: number;
  /** The number of agents that may enroll without an API key per address and day; null for no limit. */
  provisionsPerDay: number | null;
}

/** The payer for a write: an operator, or an agent without a sponsor. */
export interface Payer {
  payer: 'operator' | 'agent';
  payerSeq: number;
  /** True if the quota of FREE applies. */
  isFree: boolean;
}

/** Whether a quota may refuse a write. To delete, revoke or finalize is charged, and never refused. */
export type QuotaEnforcement = 'refusable' | 'never refused';

/** The network of a payer, and the bytes that were committed for it. */
interface NetworkBytes {
  networkSeq: number | null;
  durable: number;
}

const NO_NETWORK: NetworkBytes = { networkSeq: null, durable: 0 };

/** The bytes that a transaction adds, by account. */
type Added = Map<string, Account & { bytes: number }>;

/** Above this share of the storage of FREE, no agent may enroll without an API key. */
const PROVISIONS_UNTIL = 0.75;
/** The number of payers whose stored bytes are cached. */
const CACHED = 10_000;
/** The share of the storage of FREE that the payers of one network may use together. */
const NETWORK_SHARE = 0.05;
const ALL_FREE: Account = { payer: 'free', payerSeq: 0 };

/**
 * Counts the writes and bytes of each payer, and enforces its quota. Bytes of all writes in a shared
 * transaction are summed in memory, and written once per payer before the commit. So counts and data are
 * committed together.
 *
 * Comparing a count with its limit and increasing it happen without an await in between, so that concurrent
 * requests cannot exceed the limit. Methods that may have to read return undefined if everything is cached,
 * so that the caller need not wait.
 */
export class Quotas {
  private readonly writes: WindowCounter;
  private readonly provisions: DailyLimit;
  /** Running checks by payer. */
  private readonly checks = new Map<string, number>();
  /** The networks of payers that were committed; null for none. */
  private readonly networks = new Map<string, number | null>();
  /** The networks of payers as the transaction `shared` reads them. */
  private readonly readNetworks = new Map<string, number | null>();
  /** Whether an agent was let in from an address that many clients may have. */
  private isBehindProxy = false;
  /** Committed bytes by payer. */
  private readonly stored = new Map<string, number>();
  /** The bytes that the transaction `shared` adds, by payer. */
  private added: Added = new Map();
  private shared: object | null = null;

  constructor(
    clock: Clock,
    private readonly limits: QuotaLimits,
  ) {
    this.writes = new WindowCounter(clock, MINUTE_MS);
    this.provisions = new DailyLimit(clock, limits.provisionsPerDay);
  }

  /** Returns the quota of a payer. */
  quotaOf({ isFree }: Pick<Payer, 'isFree'>): Quota {
    return isFree ? this.limits.free : this.limits.other;
  }

  /** Counts a write before it happens. @throws ApiError rate_limit_exceeded, quota_exceeded */
  admitIn(tx: Transaction, payer: Payer, enforcement: QuotaEnforcement): Promise<void> | undefined {
    if (enforcement === 'refusable') this.requireWrites(payer);
    this.writes.add(nameOf(payer));
    return this.withRoomIn(tx, payer, 0, enforcement, () => undefined);
  }

  /**
   * Runs a check that costs as much as the write that follows it. A failed check counts as a write, and no
   * check starts without a write left in the quota, so that refused requests are limited like accepted ones.
   * @throws ApiError rate_limit_exceeded; any error of the check
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
      const running = (this.checks.get(name) ?? 1) - 1;
      if (running === 0) this.checks.delete(name);
      else this.checks.set(name, running);
    }
  }

  /** Charges a write for the bytes that it stored. @throws ApiError quota_exceeded */
  chargeIn(
    tx: Transaction,
    payer: Payer,
    bytes: number,
    enforcement: QuotaEnforcement,
  ): Promise<void> | undefined {
    return this.withRoomIn(tx, payer, bytes, enforcement, (networkSeq) => {
      this.resetTo(tx);
      // Only successful writes are charged: their bytes are committed together with the data, or not at all.
      if (this.added.size === 0) {
        const { added } = this;
        tx.beforeCommit((last) => addBytesStored(last, added.values()));
        tx.afterCommit(() => this.recordCommitted(added));
      }
      this.add(payer, bytes);
      if (payer.isFree) this.add(ALL_FREE, bytes);
      if (networkSeq !== null) this.add({ payer: 'network', payerSeq: networkSeq }, bytes);
    });
  }

  /**
   * Counts an agent that enrolls without an API key: an agent without a sponsor or a self-provisioned one.
   * Call it after all other checks, and then `placeIn` with its payer.
   * @param caller the client address, as the rate limits see it
   * @returns the number of its network; null for an address that clients of many networks may have
   * @throws ApiError rate_limit_exceeded, quota_exceeded
   */
  async provisionIn(tx: Transaction, caller: string): Promise<number | null> {
    const durable = await this.durableIn(tx, ALL_FREE);
    const { freeTotalBytes } = this.limits;
    await this.countProvisionIn(tx, caller);
    if (durable + this.addedIn(tx, ALL_FREE) >= PROVISIONS_UNTIL * freeTotalBytes) {
      throw quotasErrors.quota_exceeded({
        message:
          'The storage of the plan FREE is nearly full, so no agent can enroll without an API key. Enroll with the API key of a sponsor.',
      });
    }
    const network = networkOfCaller(caller);
    if (network === null) {
      this.isBehindProxy = true;
      return null;
    }
    const networkSeq = await networkSeqIn(tx, network);
    const account: Account = { payer: 'network', payerSeq: networkSeq };
    if ((await this.durableIn(tx, account)) + this.addedIn(tx, account) >= this.networkBytes)
      throw networkIsFull();
    return networkSeq;
  }

  /** Stores from which network a new payer came. @param networkSeq as `provisionIn` returned it */
  async placeIn(
    tx: Transaction,
    { payer, payerSeq }: Pick<Payer, 'payer' | 'payerSeq'>,
    networkSeq: number | null,
  ): Promise<void> {
    if (networkSeq !== null) await insertPayerNetwork(tx, { payer, payerSeq, networkSeq });
    this.resetTo(tx);
    // A unit that was rolled back before may have had another payer with this number.
    this.readNetworks.set(nameOf({ payer, payerSeq }), networkSeq);
  }

  /** Stores that a new operator came from the network of its agent, which had no sponsor. */
  async placeOperatorIn(tx: Transaction, operatorSeq: number, agentSeq: number): Promise<void> {
    const networkSeq = await networkOfPayer(tx, { payer: 'agent', payerSeq: agentSeq });
    await this.placeIn(tx, { payer: 'operator', payerSeq: operatorSeq }, networkSeq);
  }

  /** What health says if all agents seem to come from this machine or its network; null otherwise. */
  get problem(): string | null {
    return this.isBehindProxy && this.limits.provisionsPerDay !== null
      ? 'Agents enroll without an API key from an address of this machine or of a private network, so no network has a limit of its own. If that is a proxy, add it to trusted_proxies.'
      : null;
  }

  /** Deletes provisions that are older than a day. */
  deleteOldProvisions(store: Pick<Store, 'writeAsService'>): Promise<void> {
    return this.provisions.deleteOld(store);
  }

  private async countProvisionIn(tx: Transaction, caller: string): Promise<void> {
    const wait = await this.provisions.countIn(tx, caller);
    if (wait === null) return;
    throw commonErrors.rate_limit_exceeded({
      message: `At most ${this.provisions.limit} agents per day can enroll without an API key from one address. Enroll with the API key of a sponsor, or wait.`,
      headers: { 'retry-after': String(wait) },
    });
  }

  private get networkBytes(): number {
    return NETWORK_SHARE * this.limits.freeTotalBytes;
  }

  /** Returns how much of its quota a payer has used. */
  async usageOf(
    snapshot: Snapshot,
    payer: Payer,
  ): Promise<{ writesThisMinute: number; storedBytes: number }> {
    const storedBytes = await bytesStored(snapshot, payer);
    return { writesThisMinute: this.writes.count(nameOf(payer)), storedBytes };
  }

  /** @throws ApiError rate_limit_exceeded when counted writes and running checks use up the quota */
  private requireWrites(payer: Payer): void {
    const { writesPerMinute } = this.quotaOf(payer);
    const name = nameOf(payer);
    const used = this.writes.count(name) + (this.checks.get(name) ?? 0);
    if (writesPerMinute === null || used < writesPerMinute) return;
    throw commonErrors.rate_limit_exceeded({
      message: `The quota of ${writesPerMinute} writes per minute is used up. Wait for the seconds in the Retry-After header.`,
      headers: { 'retry-after': String(this.writes.secondsLeft(name)) },
    });
  }

  /**
   * Calls `act` if the payer may store `bytes` more: synchronously, or after its stored bytes were read.
   * There is no await between the comparison and `act`.
   * @throws ApiError quota_exceeded, or rejects with it
   */
  private withRoomIn(
    tx: Transaction,
    payer: Payer,
    bytes: number,
    enforcement: QuotaEnforcement,
    act: (networkSeq: number | null) => void,
  ): Promise<void> | undefined {
    const isLimited = enforcement === 'refusable';
    const stored = isLimited && this.quotaOf(payer).storedBytes !== null ? this.durableIn(tx, payer) : 0;
    const free = isLimited && payer.isFree ? this.durableIn(tx, ALL_FREE) : 0;
    const network = payer.isFree ? this.networkIn(tx, payer) : NO_NETWORK;
    const go = (payerBytes: number, freeBytes: number, { networkSeq, durable }: NetworkBytes): void => {
      const all = { payer: payerBytes, free: freeBytes, network: durable };
      if (isLimited) this.requireStorage(tx, payer, bytes, all, networkSeq);
      act(networkSeq);
    };
    if (typeof stored !== 'number' || typeof free !== 'number' || network instanceof Promise)
      return Promise.all([stored, free, network]).then((found) => go(...found));
    go(stored, free, network);
    return undefined;
  }

  /**
   * @param durable committed bytes of the payer, of all payers on FREE, and of its network
   * @throws ApiError quota_exceeded
   */
  private requireStorage(
    tx: Transaction,
    payer: Payer,
    bytes: number,
    durable: { payer: number; free: number; network: number },
    networkSeq: number | null,
  ): void {
    const { storedBytes } = this.quotaOf(payer);
    const used = durable.payer + this.addedIn(tx, payer);
    // A payer that has used up its quota may not even store 0 bytes; any other may fill it exactly.
    if (storedBytes !== null && (used >= storedBytes || used + bytes > storedBytes)) {
      throw quotasErrors.quota_exceeded({
        message: `The quota of ${storedBytes} stored bytes has only ${Math.max(0, storedBytes - used)} left. Ask the administrator of the service for more.`,
      });
    }
    if (payer.isFree && durable.free + this.addedIn(tx, ALL_FREE) + bytes >= this.limits.freeTotalBytes) {
      throw quotasErrors.quota_exceeded({
        message:
          'The storage that all operators on the plan FREE share is full. Ask the administrator of the service for another plan.',
      });
    }
    if (networkSeq === null) return;
    const added = this.addedIn(tx, { payer: 'network', payerSeq: networkSeq });
    if (durable.network + added + bytes >= this.networkBytes) throw networkIsFull();
  }

  /** Starts new sums for a new transaction: the earlier one was committed or rolled back. */
  private resetTo(tx: Transaction): void {
    if (this.shared === tx.shared) return;
    this.shared = tx.shared;
    this.added = new Map();
    this.readNetworks.clear();
  }

  /** Returns an account's committed bytes, without those of this transaction; synchronously if cached. */
  private durableIn(tx: Transaction, account: Account): number | Promise<number> {
    return this.stored.get(nameOf(account)) ?? this.readIn(tx, account);
  }

  private async readIn(tx: Transaction, account: Account): Promise<number> {
    this.resetTo(tx);
    const durable = await bytesStored(tx, account);
    // A count that was read before a commit is outdated after it.
    if (this.shared === tx.shared) {
      if (this.stored.size >= CACHED) this.stored.clear();
      this.stored.set(nameOf(account), durable);
    }
    return durable;
  }

  /** Returns the network of a payer with its committed bytes; synchronously if cached. */
  private networkIn(tx: Transaction, payer: Payer): NetworkBytes | Promise<NetworkBytes> {
    this.resetTo(tx);
    const name = nameOf(payer);
    const known = this.readNetworks.has(name) ? this.readNetworks.get(name) : this.networks.get(name);
    if (known === null) return NO_NETWORK;
    const durable =
      known === undefined ? undefined : this.stored.get(nameOf({ payer: 'network', payerSeq: known }));
    if (known !== undefined && durable !== undefined) return { networkSeq: known, durable };
    return this.readNetworkIn(tx, payer);
  }

  private async readNetworkIn(tx: Transaction, payer: Payer): Promise<NetworkBytes> {
    const { payer: kind, payerSeq } = payer;
    const networkSeq = await networkOfPayer(tx, { payer: kind, payerSeq });
    if (this.shared === tx.shared) this.readNetworks.set(nameOf(payer), networkSeq);
    // Only then: a payer that is rolled back leaves its number to another.
    tx.afterCommit(() => {
      if (this.networks.size >= CACHED) this.networks.clear();
      this.networks.set(nameOf(payer), networkSeq);
    });
    if (networkSeq === null) return NO_NETWORK;
    return { networkSeq, durable: await this.durableIn(tx, { payer: 'network', payerSeq: networkSeq }) };
  }

  /** Returns the bytes that this transaction adds to an account. */
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

  private recordCommitted(added: Added): void {
    // A read that began in this transaction must not fill the cache, which would lose these bytes.
    this.shared = null;
    for (const [name, { bytes }] of added) {
      const durable = this.stored.get(name);
      if (durable !== undefined) this.stored.set(name, durable + bytes);
    }
  }
}

const networkIsFull = () =>
  quotasErrors.quota_exceeded({
    message:
      'The agents from your network have used up its part of the storage of the plan FREE. Enroll with the API key of a sponsor, or ask the administrator of the service for another plan.',
  });

function nameOf({ payer, payerSeq }: Account): string {
  return `${payer} ${payerSeq}`;
}
