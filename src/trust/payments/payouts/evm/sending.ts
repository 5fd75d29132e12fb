import type { Hex } from 'viem';
import type { Clock } from '../../../../platform/time/clock.ts';
import { broadcastToAll } from './broadcast.ts';
import { answersOf, firstErrorOf, valuesOf } from './chain/answers.ts';
import type { Chain } from './chain/chain.ts';
import { RpcError } from './chain/json-rpc.ts';
import { GRACE_MS, largestReached, type SharedChain } from './chain/shared-chain.ts';
import { type ChainAccount, readTransaction, type Unsigned } from './chain/transactions.ts';
import type { ChainView } from './chain-view.ts';
import { type FeeCaps, type FeeMarkets, newFees, raisedFees } from './fees.ts';
import type { Attempt, Slot } from './follow.ts';
import type { NewAttempt } from './store.ts';

/** The wait for a block after which a transaction with higher fees replaces one, in milliseconds. */
export const STUCK_MS = 90_000;
/** The time after a broadcast before the node is asked for the transaction again, in milliseconds. */
const RESEND_MS = 30_000;
/** The most transactions of one slot. */
const MAX_ATTEMPTS = 30;
/** The gas that a transaction may use beyond the estimate, in percent. */
const GAS_RESERVE_PERCENT = 30n;

/** When this process broadcast each waiting transaction first and last, by hash. */
export type Broadcasts = Map<string, { first: number; last: number }>;

/** The most that a transaction may cost, whatever nodes say. */
export interface Caps extends FeeCaps {
  /** Units of gas. */
  gas: bigint;
}

/** Signs the transactions of an account, and keeps them in the node's pool until they are in a block. */
export class Sending {
  constructor(
    /** The key; the slots of other accounts are broadcast, never replaced. */
    private readonly account: ChainAccount,
    private readonly caps: Caps,
    private readonly clock: Clock,
    private readonly broadcasts: Broadcasts = new Map(),
  ) {}

  /** Signs a transaction. @returns the attempt, which must be stored before `give` */
  async signed(transaction: Unsigned): Promise<NewAttempt> {
    // Signing takes milliseconds on the thread that serves requests, so these get a turn first.
    await new Promise((resolve) => setImmediate(resolve));
    const attempt = { ...(await this.account.sign(transaction)), createdAt: this.clock.now() };
    const { chainId, nonce } = transaction;
    return { chainId, sender: this.account.address, nonce, attempt };
  }

  /**
   * Broadcasts a stored transaction.
   * @returns the problem, for the administrator; null without one
   * @throws RpcError if no node responds
   */
  async give({ chain }: Pick<ChainView, 'chain'>, attempt: Attempt): Promise<string | null> {
    const result = await broadcastToAll(chain.nodes, attempt);
    const now = this.clock.now();
    const first = this.broadcasts.get(attempt.hash)?.first ?? now;
    this.broadcasts.set(attempt.hash, { first, last: now });
    if (result.is === 'too-few-coins')
      return `The account ${this.account.address} has too few coins for gas. Send it coins of the chain.`;
    if (result.is === 'refused') return `The node refused a transaction: ${result.reason}`;
    return null;
  }

  /**
   * Keeps waiting transactions in the node's pool: broadcasts unknown ones, and replaces stuck ones.
   * @param waiting slots that no block has, by nonce
   * @param store stores a replacement durably; returns false if the slot has ended
   * @returns the problem, for the administrator; null without one
   * @throws RpcError if the node does not respond
   */
  async push<Waiting extends Slot>(
    view: ChainView,
    waiting: readonly Waiting[],
    market: FeeMarkets,
    store: (slot: Waiting, replacement: NewAttempt) => Promise<boolean>,
  ): Promise<string | null> {
    const known = new Set<string>(waiting.flatMap(({ attempts }) => attempts.map(({ hash }) => hash)));
    for (const hash of this.broadcasts.keys()) if (!known.has(hash)) this.broadcasts.delete(hash);
    let problem: string | null = null;
    for (const slot of waiting) {
      const newest = slot.attempts.at(-1);
      if (newest === undefined) continue;
      const isNext = slot.nonce === (await view.latestNonce(slot.sender));
      const replacement = await this.replacement(slot, newest, isNext, market);
      if (replacement === 'above-cap') {
        problem ??= `A transaction with the nonce ${slot.nonce} waits, because the chain asks for more than evm.max_fee_gwei, evm.max_tip_gwei or evm.max_gas. Raise it, or wait.`;
      }
      let attempt = newest;
      if (replacement !== null && replacement !== 'above-cap') {
        if (await store(slot, replacement)) attempt = replacement.attempt;
      }
      if (attempt !== newest || (await this.mustBroadcast(view, newest)))
        problem = (await this.give(view, attempt)) ?? problem;
    }
    return problem;
  }

  /** Returns whether a node may have lost a transaction, or never had it. */
  private async mustBroadcast({ chain }: ChainView, { hash }: Attempt): Promise<boolean> {
    const times = this.broadcasts.get(hash);
    if (times === undefined) return true;
    const now = this.clock.now();
    if (now >= times.last && now - times.last < RESEND_MS) return false;
    const known = await chain.values((one) => one.knows(hash));
    const isKnown = known.every((one) => one);
    if (isKnown) times.last = now;
    return !isKnown;
  }

  /** Returns a transaction with higher fees for one that is stuck; null if it is not. */
  private async replacement(
    slot: Slot,
    newest: Attempt,
    isNext: boolean,
    { reached: market }: FeeMarkets,
  ): Promise<NewAttempt | 'above-cap' | null> {
    if (slot.sender !== this.account.address) return null;
    const before = await readTransaction(newest.raw);
    const isTooCheap = before.maxFeePerGas < market.baseFee;
    // The time since the process stopped does not count: the transaction may never have been broadcast.
    const times = this.broadcasts.get(newest.hash);
    const now = this.clock.now();
    // A clock that was set back must not stop replacements until it has caught up.
    if (times !== undefined && now < times.first) times.first = now;
    const isLate = now - (times?.first ?? Number.POSITIVE_INFINITY) >= STUCK_MS;
    // Higher fees do not help a transaction that waits for an earlier nonce.
    if (!isLate || !(isNext || isTooCheap) || slot.attempts.length >= MAX_ATTEMPTS) return null;
    const fees = raisedFees(before, market, this.caps);
    if (before.gas > this.caps.gas) return 'above-cap';
    if (fees !== null) return this.signed({ ...before, ...fees });
    const isTipTooLow = (market.tip ?? 0n) > this.caps.tip;
    return isTooCheap || isTipTooLow || newFees(market, this.caps) === null ? 'above-cap' : null;
  }
}

/** Returns the limit of gas for an estimate that is at most `cap`. */
export function gasLimit(estimate: bigint, cap: bigint): bigint {
  const limit = (estimate * (100n + GAS_RESERVE_PERCENT)) / 100n;
  return limit < cap ? limit : cap;
}

/** Returns why a transaction is not signed: the nodes estimate more gas than the cap; null if they do not. */
export function gasProblem(estimate: bigint, cap: bigint): string | null {
  if (estimate <= cap) return null;
  return `The transfer needs ${estimate} units of gas, more than evm.max_gas (${cap}).`;
}

/** Returns the most coins that a transaction can cost, in wei. */
export function costOf({ gas, maxFeePerGas, value }: Unsigned): bigint {
  return gas * maxFeePerGas + value;
}

/** Whether a token would make a transfer: the estimated gas, or the problem for which it refuses. */
type Trial = { problem: null; gas: bigint } | { problem: string };

/**
 * Asks a token whether it would make a transfer, by more than half of the nodes.
 * @param data the input of its `transfer`
 * @returns the gas that more than half reach, or the problem for which the token refuses
 * @throws RpcError if too few nodes respond
 */
export async function tryTransfer(
  { nodes, needed }: Pick<SharedChain, 'nodes' | 'needed'>,
  from: string,
  token: string,
  data: Hex,
): Promise<Trial> {
  const isMade = (trial: Trial) => trial.problem === null;
  const suffices = (trials: readonly Trial[]) =>
    [true, false].some((made) => trials.filter((trial) => isMade(trial) === made).length >= needed);
  const answers = await answersOf(
    nodes.map(({ chain }) => tryOnNode(chain, from, token, data)),
    (some) => suffices(valuesOf(some)),
    GRACE_MS,
  );
  const trials = valuesOf(answers);
  const gas = trials.flatMap((trial) => (trial.problem === null ? [trial.gas] : []));
  if (gas.length >= needed) return { problem: null, gas: largestReached(gas, needed) };
  const [refusal] = trials.filter(({ problem }) => problem !== null);
  if (refusal !== undefined && trials.length - gas.length >= needed) return refusal;
  if (trials.length >= needed)
    return { problem: 'The nodes of the chain disagree whether the token makes the transfer.' };
  throw firstErrorOf(answers)?.error ?? new RpcError('Too few nodes of the chain responded.', 'unreachable');
}

async function tryOnNode(chain: Chain, from: string, token: string, data: Hex): Promise<Trial> {
  try {
    const [result, gas] = await Promise.all([
      chain.call(from, token, data),
      chain.gas(from, token, data, 0n),
    ]);
    // Some tokens return nothing.
    if (result === '0x' || BigInt(result) === 1n) return { problem: null, gas };
    return { problem: 'The token refuses the transfer: it returned false.' };
  } catch (error) {
    if (error instanceof RpcError && error.isRevert)
      return { problem: `The token refuses the transfer: ${error.reasonText ?? 'no reason'}` };
    throw error;
  }
}
