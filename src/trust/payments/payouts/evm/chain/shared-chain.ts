import { type Answer, answersOf, firstErrorOf, valuesOf } from './answers.ts';
import type { BlockName, Chain } from './chain.ts';
import { RpcError } from './json-rpc.ts';

/** The wait for slower nodes after enough have answered, in milliseconds. */
export const GRACE_MS = 1000;

/** A node of the chain. */
export interface Node {
  /** Its position in evm.rpc_urls, from 1. It names the node in public, where its URL must not be. */
  number: number;
  chain: Chain;
}

/** A chain, as several nodes show it. The functions reject with RpcError unless enough nodes answer. */
export type SharedChain = ReturnType<typeof sharedChain>;

/** Returns how many of some nodes must agree: more than half. */
export const majorityOf = (nodes: number): number => Math.floor(nodes / 2) + 1;

/**
 * Returns the requests to several nodes at once.
 * @param nodes those that can be used
 * @param needed how many must agree: more than half of all that are configured
 */
export function sharedChain(nodes: readonly Node[], needed: number) {
  const isEnough = (answers: readonly Answer<unknown>[]) => valuesOf(answers).length >= needed;
  /** Returns the answers of at least `needed` nodes. @throws the first error, if fewer answer */
  async function values<Value>(read: (chain: Chain) => Promise<Value>): Promise<Value[]> {
    const answers = await answersOf(
      nodes.map(({ chain }) => read(chain)),
      isEnough,
      GRACE_MS,
    );
    if (isEnough(answers)) return valuesOf(answers);
    throw (
      firstErrorOf(answers)?.error ?? new RpcError('Too few nodes of the chain responded.', 'unreachable')
    );
  }
  /** Returns the largest number that enough nodes name or exceed: fewer that lie cannot choose it. */
  async function reached<Value extends number | bigint>(read: (chain: Chain) => Promise<Value>) {
    return largestReached(await values(read), needed);
  }
  return {
    nodes,
    needed,
    values,
    reached,
    nextNonce: (address: string, block: BlockName) => reached((chain) => chain.nextNonce(address, block)),
    coins: (address: string) => reached((chain) => chain.coins(address)),
    tokens: (token: string, address: string) => reached((chain) => chain.tokens(token, address)),
    hasCode: async (address: string) =>
      (await reached(async (chain) => ((await chain.hasCode(address)) ? 1 : 0))) === 1,
  };
}

/** Returns the largest of some values that `needed` of them reach. There are at least so many. */
export function largestReached<Value extends number | bigint>(
  values: readonly Value[],
  needed: number,
): Value {
  const value = values.toSorted((one, other) => (one < other ? 1 : one > other ? -1 : 0))[needed - 1];
  if (value === undefined) throw new Error(`${values.length} values are fewer than ${needed}`);
  return value;
}
