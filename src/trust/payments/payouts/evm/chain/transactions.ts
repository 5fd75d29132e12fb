import { keccak_256 } from '@noble/hashes/sha3.js';
import type { Hex } from 'viem';
import { bytesToHex, hexToBytes } from '../../../../../proof/encoding/hex.ts';
import { addressOf as addressOfPublicKey } from '../../../../ledger/wallets/address.ts';
import { secp256k1 } from '../../../../ledger/wallets/curve.ts';
import { addressOfKey } from '../../../../ledger/wallets/keys.ts';
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

/** A signed transaction, with its hash on the chain. */
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

/**
 * Returns the account of a private key.
 * @param privateKey `0x` and 64 hexadecimal digits
 * @throws RangeError for no private key
 */
export async function accountOf(privateKey: string): Promise<ChainAccount> {
  const address = await addressOfKey(privateKey);
  const curve = await secp256k1();
  const { serializeTransaction } = await viem();
  const secret = privateKey.slice(2).toLowerCase();
  return {
    address,
    async sign({ to, ...transaction }) {
      const unsigned = { ...transaction, type: 'eip1559', to: addressOf(to) } as const;
      // By RFC 6979, the same transaction has the same signature. s is the lower of two values (EIP-2).
      const signature = curve.sign(keccak256(serializeTransaction(unsigned)).slice(2), secret);
      const raw = serializeTransaction(unsigned, {
        r: wordOf(signature.r),
        s: wordOf(signature.s),
        yParity: signature.recovery,
      });
      return { raw, hash: keccak256(raw) };
    },
  };
}

/** Returns the input of a token's `transfer`. */
export function transferInput(to: string, units: bigint): Hex {
  return hexOf(`a9059cbb${addressOf(to).slice(2).padStart(64, '0')}${wordOf(units).slice(2)}`);
}

/** A signed transaction, with its hash and its sender. */
export interface OpenedTransaction {
  transaction: Unsigned;
  hash: Hex;
  /** The address whose key signed it. */
  sender: string;
}

/**
 * Returns a signed transaction with its signer, for the audit; null for bytes that are none of EIP-1559. It
 * takes a millisecond.
 */
export async function openTransaction(raw: Hex): Promise<OpenedTransaction | null> {
  const [{ parseTransaction, serializeTransaction }, curve] = await Promise.all([viem(), secp256k1()]);
  try {
    const { r, s, v, yParity, ...unsigned } = parseTransaction(raw);
    if (unsigned.type !== 'eip1559' || r === undefined || s === undefined || yParity === undefined)
      return null;
    const signature = new curve.Signature(BigInt(r), BigInt(s)).addRecoveryBit(yParity);
    const publicKey = signature.recoverPublicKey(keccak256(serializeTransaction(unsigned)).slice(2));
    const sender = addressOfPublicKey(publicKey.toRawBytes(false));
    return { transaction: await readTransaction(raw), hash: keccak256(raw), sender };
  } catch {
    return null;
  }
}

/** Returns the members of a signed transaction. @throws Error for bytes that are none of EIP-1559 */
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

function keccak256(data: Hex): Hex {
  return hexOf(bytesToHex(keccak_256(hexToBytes(data.slice(2)))));
}

/** Returns a number as 32 bytes. */
function wordOf(value: bigint): Hex {
  return hexOf(value.toString(16).padStart(64, '0'));
}
