import type { Hex } from 'viem';
import { RpcError } from './json-rpc.ts';

/** The longest quantity: 256 bits. */
const QUANTITY = /^0x(?:0|[1-9a-f][0-9a-f]{0,63})$/i;

/** Returns a quantity of Ethereum's JSON-RPC. @throws RpcError */
export function quantity(value: unknown, label: string): bigint {
  if (typeof value !== 'string' || !QUANTITY.test(value)) throw invalid(label, 'is not a quantity');
  return BigInt(value);
}

/** Returns a quantity that counts something, such as a block number. @throws RpcError beyond 2^53 − 1 */
export function counted(value: unknown, label: string): number {
  const number = Number(quantity(value, label));
  if (!Number.isSafeInteger(number)) throw invalid(label, 'is too large');
  return number;
}

/**
 * Returns bytes as lower-case hexadecimal text.
 * @param length the number of bytes; without it, any
 * @throws RpcError
 */
export function bytes(value: unknown, label: string, length: number | null = null): Hex {
  const isData = typeof value === 'string' && /^0x(?:[0-9a-f]{2})*$/i.test(value);
  if (!isData || (length !== null && value.length !== 2 + 2 * length)) {
    throw invalid(label, length === null ? 'is not data' : `is not ${length} bytes`);
  }
  return hexOf(value.slice(2).toLowerCase());
}

/** Returns text with the prefix of hexadecimal data. */
export function hexOf(digits: string): Hex {
  return `0x${digits}`;
}

/** Returns a number as a quantity. */
export function toQuantity(value: number | bigint): Hex {
  return hexOf(value.toString(16));
}

/** Returns the error for a result that the node's interface does not allow. @param label names the value */
export function invalid(label: string, problem: string): RpcError {
  return new RpcError(`The node's response is wrong: ${label} ${problem}.`, 'invalid');
}
