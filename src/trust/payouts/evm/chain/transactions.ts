import type { Hex } from 'viem';
import type { Fees } from '../fees.ts';
import { bytes, hexOf } from './values.ts';

/** Loads viem with the first use. */
const viem = () => import('./viem.ts');

/** A transaction before it is signed. */
export interface Unsigned extends Fees {
  chainId: number;
  nonce: number;
  to: string;
  /** In wei. */
  value: bigint;
  data: Hex;
  gas: bigint;
}

/** A signed transaction, which its hash names on the chain. */
export interface Signed {
  raw: Hex;
  hash: Hex;
}

/** A key that signs transactions, in memory only. */
export interface ChainAccount {
  /** In the notation of EIP-55. */
  address: string;
  sign(transaction: Unsigned): Promise<Signed>;
}

/** Returns the account of a private key. @param privateKey `0x` and 64 hexadecimal digits */
export async function accountOf(privateKey: string): Promise<ChainAccount> {
  const { privateKeyToAccount, keccak256 } = await viem();
  const account = privateKeyToAccount(hexOf(privateKey.replace(/^0x/i, '')));
  return {
    address: account.address,
    async sign({ to, ...transaction }) {
      const raw = await account.signTransaction({ ...transaction, type: 'eip1559', to: addressOf(to) });
      return { raw, hash: keccak256(raw) };
    },
  };
}

/** Returns the input of a token's `transfer`. */
export async function transferInput(to: string, units: bigint): Promise<Hex> {
  const { encodeFunctionData, erc20Abi } = await viem();
  return encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [addressOf(to), units] });
}

/** Returns what a signed transaction says. @throws Error for bytes that are no transaction of EIP-1559 */
export async function readTransaction(raw: Hex): Promise<Unsigned> {
  const { parseTransaction } = await viem();
  const { type, chainId, nonce, to, value, data, gas, maxFeePerGas, maxPriorityFeePerGas } =
    parseTransaction(raw);
  if (type !== 'eip1559' || chainId === undefined || to === undefined || to === null)
    throw new Error('a stored transaction is not of EIP-1559');
  return {
    chainId,
    nonce: nonce ?? 0,
    to,
    value: value ?? 0n,
    data: data ?? '0x',
    gas: gas ?? 0n,
    maxFeePerGas: maxFeePerGas ?? 0n,
    maxPriorityFeePerGas: maxPriorityFeePerGas ?? 0n,
  };
}

/** Returns an address as hexadecimal data. @throws Error for other text */
export function addressOf(text: string): Hex {
  return bytes(text, 'an address', 20);
}
