import type { Hex } from 'viem';
import type { Chain, Head, Receipt } from './chain/chain.ts';
import { RpcError } from './chain/json-rpc.ts';
import { readTransaction } from './chain/transactions.ts';
import { nonceState } from './nonces.ts';

/** A signed transaction that is stored. Times are milliseconds since 1970. */
export interface Attempt {
  hash: Hex;
  raw: Hex;
  createdAt: number;
}

/**
 * Transactions with one nonce, which replace each other. The chain takes at most one of them, however often
 * they are broadcast.
 */
export interface Slot {
  chainId: number;
  /** The address that signed them. */
  sender: string;
  nonce: number;
  /** Oldest first; at least one. */
  attempts: readonly Attempt[];
}

/** The state of a slot on the chain. */
export type Progress =
  /** No block has the nonce: the newest attempt must be in the node's pool. */
  | { is: 'waiting' }
  /** An attempt is in a block that is not final. */
  | { is: 'in-block' }
  /** An attempt is in a final block, or a transaction that does the same with the same nonce. */
  | { is: 'final'; attempt: Attempt; receipt: Receipt }
  /** Another transaction of the same key used the nonce in a final block, so no attempt can be mined. */
  | { is: 'lost'; to: string }
  /** The chain has used the nonce, and the node does not show by which transaction. */
  | { is: 'unclear' };

/** The chain as a round sees it. */
export interface View {
  chain: Chain;
  head: Head;
  confirmations: number;
  /** Returns the next nonce of an account in the newest block. */
  latestNonce(address: string): Promise<number>;
  /** Returns the hash of a block of the canonical chain; null if there is none. */
  blockHash(number: number): Promise<string | null>;
}

/** Returns the chain as of its newest block. @throws RpcError */
export async function viewOf(chain: Chain, confirmations: number): Promise<View> {
  const head = await chain.head();
  const nonces = new Map<string, Promise<number>>();
  const hashes = new Map<number, Promise<string | null>>();
  return {
    chain,
    head,
    confirmations,
    latestNonce(address) {
      const known = nonces.get(address) ?? chain.nextNonce(address, 'latest');
      nonces.set(address, known);
      return known;
    },
    blockHash(number) {
      const known = hashes.get(number) ?? chain.blockHash(number);
      hashes.set(number, known);
      return known;
    },
  };
}

/** Returns the state of a slot, and changes nothing. @throws RpcError */
export async function progressOf(view: View, slot: Slot): Promise<Progress> {
  const { sender, nonce, attempts } = slot;
  const latest = await view.latestNonce(sender);
  if (nonce >= latest) return { is: 'waiting' };
  // The newest attempt is the likeliest.
  for (const attempt of attempts.toReversed()) {
    const progress = await mined(view, attempt);
    if (progress !== null) return progress;
  }
  return lostOrUnclear(view, slot);
}

/** Returns the state of a transaction that is in a block; null for one that is in none. */
async function mined(
  { chain, head, confirmations, blockHash }: View,
  attempt: Attempt,
): Promise<Progress | null> {
  const receipt = await chain.receipt(attempt.hash);
  // The receipt of a block that a reorganization removed says nothing.
  if (receipt === null || (await blockHash(receipt.blockNumber)) !== receipt.blockHash) return null;
  const depth = head.number - receipt.blockNumber + 1;
  return depth >= confirmations ? { is: 'final', attempt, receipt } : { is: 'in-block' };
}

/**
 * Looks for the transaction that used a nonce. A node that does not find a receipt may be behind, or may not
 * index old transactions. So the nonce counts as lost only when the node shows the other transaction in a
 * final block. A transaction that does the same is ours too: a restored database does not know transactions
 * that replaced an attempt after the backup.
 */
async function lostOrUnclear(view: View, slot: Slot): Promise<Progress> {
  const { chain, head, confirmations, latestNonce } = view;
  const { chainId, sender, nonce, attempts } = slot;
  const finalBlock = head.number - confirmations + 1;
  if (finalBlock < 0) return { is: 'in-block' };
  try {
    const final = await chain.nextNonce(sender, finalBlock);
    if (nonceState(nonce, await latestNonce(sender), final) !== 'final') return { is: 'in-block' };
    const number = await blockOfNonce(chain, sender, nonce, finalBlock);
    const users = (await chain.transactionsOf(sender, number)).filter((one) => one.nonce === nonce);
    const [user] = users;
    if (user === undefined || users.length !== 1) return { is: 'unclear' };
    // The node shows a transaction of another chain, which proves nothing.
    if (user.chainId !== null && user.chainId !== chainId) return { is: 'unclear' };
    for (const attempt of attempts) {
      if (attempt.hash === user.hash) return { is: 'unclear' };
      const { to, data, value } = await readTransaction(attempt.raw);
      if (to.toLowerCase() !== user.to || data !== user.input || value !== user.value) continue;
      return (await mined(view, { ...attempt, hash: user.hash })) ?? { is: 'unclear' };
    }
    return { is: 'lost', to: user.hash };
  } catch (error) {
    // Most nodes have only the state of the newest 128 blocks.
    if (error instanceof RpcError && error.kind === 'refused') return { is: 'unclear' };
    throw error;
  }
}

/**
 * Returns the number of the block in which an account used a nonce.
 * @param last a block at which it was used
 */
async function blockOfNonce(chain: Chain, sender: string, nonce: number, last: number): Promise<number> {
  const isUsedAt = async (block: number) => block >= 0 && (await chain.nextNonce(sender, block)) > nonce;
  let used = last;
  let step = 1;
  while (await isUsedAt(used - step)) {
    used -= step;
    step *= 2;
  }
  let unused = Math.max(used - step, -1);
  while (used - unused > 1) {
    const middle = Math.floor((used + unused) / 2);
    if (await isUsedAt(middle)) used = middle;
    else unused = middle;
  }
  return used;
}
