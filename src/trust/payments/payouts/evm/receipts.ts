import { addressWord, type EventLog, type Receipt, TRANSFER_TOPIC } from './chain/chain.ts';

/** A transfer of tokens that a transaction must have made. */
export interface Transfer {
  token: string;
  from: string;
  to: string;
  units: bigint;
}

/**
 * The effect of a transaction in a block: it paid the amount, it moved nothing to the address, or it moved
 * another amount. Tokens that take a fee from transfers move another amount.
 */
export type Outcome = 'paid' | 'nothing' | 'other-amount';

/**
 * Returns the effect of a transaction by the token's events. The status of the receipt does not suffice: a
 * token may return false instead of reverting, and receipts do not contain results.
 */
export function outcomeOf({ isSuccess, logs }: Receipt, { token, from, to, units }: Transfer): Outcome {
  if (!isSuccess) return 'nothing';
  const topics = [TRANSFER_TOPIC, `0x${addressWord(from)}`, `0x${addressWord(to)}`];
  const moved = logs
    .filter(({ address }) => address === token.toLowerCase())
    .filter((log) => topics.every((topic, index) => log.topics[index] === topic))
    .reduce((sum, log) => sum + transferred(log), 0n);
  if (moved === 0n) return 'nothing';
  return moved === units ? 'paid' : 'other-amount';
}

function transferred({ data, topics }: EventLog): bigint {
  const value = data === '0x' ? topics[3] : data;
  return value === undefined || value === '0x' ? 0n : BigInt(value);
}
