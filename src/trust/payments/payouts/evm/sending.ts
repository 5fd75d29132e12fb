import type { Hex } from 'viem';
import type { Clock } from '../../../../platform/time/clock.ts';
import { broadcast } from './broadcast.ts';
import type { Chain } from './chain/chain.ts';
import { RpcError } from './chain/json-rpc.ts';
import { type ChainAccount, readTransaction, type Unsigned } from './chain/transactions.ts';
import { type FeeMarket, newFees, raisedFees } from './fees.ts';
import type { Attempt, Slot, View } from './follow.ts';
import type { NewAttempt } from './store.ts';

/**
 * How long a transaction may wait for a block before another with higher fees replaces it, in milliseconds.
 */
export const STUCK_MS = 90_000;
/** How long a node is trusted to have a transaction that it took, in milliseconds. */
const RESEND_MS = 30_000;
/** The most transactions of one slot. */
const MAX_ATTEMPTS = 30;
/** The reserve for gas that a transaction needs when it is mined beyond the estimate, in percent. */
const GAS_RESERVE_PERCENT = 30n;

/** When this process gave each transaction to the node first and last, by hash. Only of those that wait. */
export type Given = Map<string, { first: number; last: number }>;

/** Signs what an account sends, and keeps it in the node's pool until it is in a block. */
export class Sending {
  constructor(
    /** The key; the slots of other accounts are broadcast, never replaced. */
    private readonly account: ChainAccount,
    private readonly feeCap: bigint,
    private readonly clock: Clock,
    private readonly given: Given = new Map(),
  ) {}

  /** Signs a transaction. @returns what must be stored before `give` */
  async signed(transaction: Unsigned): Promise<NewAttempt> {
    // It computes for milliseconds on the thread that answers requests.
    await new Promise((resolve) => setImmediate(resolve));
    const attempt = { ...(await this.account.sign(transaction)), createdAt: this.clock.now() };
    const { chainId, nonce } = transaction;
    return { chainId, sender: this.account.address, nonce, attempt };
  }

  /**
   * Gives a stored transaction to the node.
   * @returns what is wrong, for the administrator; null for nothing
   * @throws RpcError if the node does not answer
   */
  async give({ chain }: Pick<View, 'chain'>, attempt: Attempt): Promise<string | null> {
    const answer = await broadcast(chain, attempt);
    const now = this.clock.now();
    this.given.set(attempt.hash, { first: this.given.get(attempt.hash)?.first ?? now, last: now });
    if (answer.is === 'too-few-coins')
      return `The account ${this.account.address} has too few coins for gas. Send it coins of the chain.`;
    if (answer.is === 'refused') return `The node refused a transaction: ${answer.reason}`;
    return null;
  }

  /**
   * Keeps waiting transactions in the node's pool: broadcasts what the node does not know, and replaces what
   * is stuck.
   * @param waiting slots that no block has, by nonce
   * @param store stores a replacement durably; false if that is not possible any more
   * @returns what is wrong, for the administrator; null for nothing
   * @throws RpcError if the node does not answer
   */
  async push<Waiting extends Slot>(
    view: View,
    waiting: readonly Waiting[],
    market: FeeMarket,
    store: (slot: Waiting, replacement: NewAttempt) => Promise<boolean>,
  ): Promise<string | null> {
    const known = new Set<string>(waiting.flatMap(({ attempts }) => attempts.map(({ hash }) => hash)));
    for (const hash of this.given.keys()) if (!known.has(hash)) this.given.delete(hash);
    let problem: string | null = null;
    for (const slot of waiting) {
      const newest = slot.attempts.at(-1);
      if (newest === undefined) continue;
      const isNext = slot.nonce === (await view.latestNonce(slot.sender));
      const replacement = await this.replacement(slot, newest, isNext, market);
      if (replacement === 'above-cap') {
        problem ??= `A transaction with the nonce ${slot.nonce} waits, because the chain asks for more than evm.max_fee_gwei. Raise it, or wait.`;
      }
      let attempt = newest;
      if (replacement !== null && replacement !== 'above-cap') {
        if (await store(slot, replacement)) attempt = replacement.attempt;
      }
      if (attempt !== newest || (await this.mustBeGiven(view, newest)))
        problem = (await this.give(view, attempt)) ?? problem;
    }
    return problem;
  }

  /** Returns whether the node may have lost a transaction, or never had it. */
  private async mustBeGiven({ chain }: View, { hash }: Attempt): Promise<boolean> {
    const given = this.given.get(hash);
    if (given === undefined) return true;
    const now = this.clock.now();
    if (now >= given.last && now - given.last < RESEND_MS) return false;
    const isKnown = await chain.knows(hash);
    if (isKnown) given.last = now;
    return !isKnown;
  }

  /** Returns a transaction with higher fees for one that is stuck; null if it is not. */
  private async replacement(
    slot: Slot,
    newest: Attempt,
    isNext: boolean,
    market: FeeMarket,
  ): Promise<NewAttempt | 'above-cap' | null> {
    if (slot.sender !== this.account.address) return null;
    const before = await readTransaction(newest.raw);
    const isTooCheap = before.maxFeePerGas < market.baseFee;
    // The time since the process stopped does not count: the transaction may never have been broadcast.
    const given = this.given.get(newest.hash);
    const now = this.clock.now();
    // A clock that was set back must not stop replacements until it has caught up.
    if (given !== undefined && now < given.first) given.first = now;
    const isLate = now - (given?.first ?? Number.POSITIVE_INFINITY) >= STUCK_MS;
    // One that waits for an earlier nonce gains nothing by higher fees.
    if (!isLate || !(isNext || isTooCheap) || slot.attempts.length >= MAX_ATTEMPTS) return null;
    const fees = raisedFees(before, market, this.feeCap);
    if (fees !== null) return this.signed({ ...before, ...fees });
    return isTooCheap || newFees(market, this.feeCap) === null ? 'above-cap' : null;
  }
}

/** Returns the limit of gas for an estimate. */
export function gasLimit(estimate: bigint): bigint {
  return (estimate * (100n + GAS_RESERVE_PERCENT)) / 100n;
}

/** Returns the most coins that a transaction can cost, in wei. */
export function costOf({ gas, maxFeePerGas, value }: Unsigned): bigint {
  return gas * maxFeePerGas + value;
}

/**
 * Asks a token whether it would make a transfer.
 * @param data the input of its `transfer`
 * @returns why it refuses, or the limit of gas
 * @throws RpcError if the node does not say
 */
export async function refusedTransfer(
  chain: Chain,
  from: string,
  token: string,
  data: Hex,
): Promise<string | { gas: bigint }> {
  try {
    const [result, gas] = await Promise.all([
      chain.call(from, token, data),
      chain.gas(from, token, data, 0n),
    ]);
    // Some tokens return nothing.
    if (result === '0x' || BigInt(result) === 1n) return { gas: gasLimit(gas) };
    return 'The token refuses the transfer: it returned false.';
  } catch (error) {
    if (error instanceof RpcError && error.isRevert)
      return `The token refuses the transfer: ${error.said ?? 'no reason'}`;
    throw error;
  }
}
