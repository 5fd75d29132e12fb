const GWEI = 10n ** 9n;
/** The tip if the node suggests none. */
const DEFAULT_TIP = GWEI;
/** By how many percent a replacement must raise both fees: nodes ask for at least 10. */
const RAISE_PERCENT = 13n;

/** The fees of a transaction by EIP-1559, in wei for a unit of gas. */
export interface Fees {
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
}

/** The current fees of a chain. */
export interface FeeMarket {
  /** The base fee of the newest block. */
  baseFee: bigint;
  /** The tip that the node suggests; null when it suggests none. */
  tip: bigint | null;
}

/**
 * The fees that nodes name. A new transaction takes the lowest. One that replaces a stuck one takes what more
 * than half of the nodes reach, so that a node that names too little cannot keep it stuck.
 */
export interface FeeMarkets {
  lowest: FeeMarket;
  reached: FeeMarket;
}

/** The most that a transaction offers for a unit of gas, in wei, whatever nodes say. */
export interface FeeCaps {
  fee: bigint;
  tip: bigint;
}

/** Returns gwei in wei. */
export function gwei(amount: number): bigint {
  return BigInt(amount) * GWEI;
}

/**
 * Returns the fees of a new transaction: twice the base fee, so that it stays valid while six full blocks
 * raise it, plus the tip.
 * @returns null if the cap of the fee is below what the next block asks for
 */
export function newFees({ baseFee, tip }: FeeMarket, caps: FeeCaps): Fees | null {
  const nextBase = baseFee + baseFee / 8n;
  if (nextBase + 1n > caps.fee) return null;
  const maxPriorityFeePerGas = min(min(tip ?? DEFAULT_TIP, caps.tip), caps.fee - nextBase);
  return { maxFeePerGas: min(2n * baseFee + maxPriorityFeePerGas, caps.fee), maxPriorityFeePerGas };
}

/**
 * Returns the fees of a transaction that replaces a stuck one: at least the current fees of the chain, and so
 * much more than before that a node accepts the replacement.
 * @returns null if the caps do not allow it
 */
export function raisedFees(before: Fees, market: FeeMarket, caps: FeeCaps): Fees | null {
  const current = newFees(market, caps);
  if (current === null) return null;
  const maxFeePerGas = max(current.maxFeePerGas, raised(before.maxFeePerGas));
  const maxPriorityFeePerGas = max(current.maxPriorityFeePerGas, raised(before.maxPriorityFeePerGas));
  if (maxFeePerGas > caps.fee || maxPriorityFeePerGas > caps.tip || maxPriorityFeePerGas > maxFeePerGas)
    return null;
  return { maxFeePerGas, maxPriorityFeePerGas };
}

function raised(fee: bigint): bigint {
  return (fee * (100n + RAISE_PERCENT)) / 100n + 1n;
}

function min(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

function max(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
