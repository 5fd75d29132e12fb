/** The nonces of one account, on the chain and in the database. */
export interface NonceFacts {
  /** The number of the account's transactions in the newest block: its next nonce on the chain. */
  latest: number;
  /** The same with the transactions that wait in the node's pool. */
  pending: number;
  /** The nonces of the account's transactions in the database. */
  used: ReadonlySet<number>;
}

/**
 * Returns the next `count` nonces that a new transaction may take, in ascending order: those that neither the
 * chain nor the database nor another user of the key has. The first ones fill gaps, because a transaction
 * waits until all before it are mined.
 */
export function freeNonces({ latest, pending, used }: NonceFacts, count: number): number[] {
  const free: number[] = [];
  // Below `pending`, a nonce that the database does not know belongs to another user of the key.
  for (let nonce = Math.max(latest, pending); free.length < count; nonce += 1) {
    if (!used.has(nonce)) free.push(nonce);
  }
  return free;
}

/** The state of a transaction with one nonce and one or more attempts. */
export type NonceState =
  /** None of the attempts is in a block, and the nonce is free on the chain. */
  | 'waiting'
  /** A transaction on the chain, which is not known yet, has used the nonce. */
  | 'used'
  /** As `used`, and the block in which it was used is final. */
  | 'final';

/**
 * Returns the state of a nonce.
 * @param latest the account's next nonce in the newest block
 * @param final the account's next nonce in the newest final block
 */
export function nonceState(nonce: number, latest: number, final: number): NonceState {
  if (nonce < Math.min(latest, final)) return 'final';
  return nonce < latest ? 'used' : 'waiting';
}
