import type { MasterKey } from '../../../platform/crypto/master-key.ts';
import { bytesToHex, hexToBytes } from '../../../proof/encoding/hex.ts';
import { addressOf, type Hex } from './address.ts';
import { secp256k1 } from './curve.ts';
import type { WalletOwner, WalletRow } from './store.ts';

/** A wallet that is not stored yet. Its key is encrypted, and nobody else has it. */
export interface NewWallet {
  owner: WalletOwner;
  address: Hex;
  encryptedKey: string;
}

/** The columns of a wallet that `walletKey` needs. */
export type StoredKey = Pick<WalletRow, 'ownerKind' | 'ownerSeq' | 'address' | 'encryptedKey'>;

/** The order of secp256k1: a private key is a number from 1 to this minus 1. */
const ORDER = BigInt('0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141');

/**
 * Returns whether text is a private key of secp256k1: 0x, 64 lower-case or upper-case hexadecimal digits, and
 * not 0 or above the curve's order.
 */
export function isPrivateKey(text: string): text is Hex {
  if (!/^0x[0-9a-fA-F]{64}$/.test(text)) return false;
  const value = BigInt(text);
  return value > 0n && value < ORDER;
}

/**
 * Returns a wallet of an owner with a new key, for `walletOfIn`. Call it before the transaction: it computes.
 */
export async function newWallet(masterKey: MasterKey, owner: WalletOwner): Promise<NewWallet> {
  const curve = await secp256k1();
  const secret = curve.utils.randomPrivateKey();
  const address = addressOf(curve.getPublicKey(secret, false));
  const encryptedKey = masterKey.encrypt(contextOf(owner, address), bytesToHex(secret));
  return { owner, address, encryptedKey };
}

/** Returns the address of a private key. @throws RangeError for other text, which it does not quote */
export async function addressOfKey(key: string): Promise<Hex> {
  if (!isPrivateKey(key)) throw new RangeError('not a private key');
  return addressOf((await secp256k1()).getPublicKey(hexToBytes(key.slice(2).toLowerCase()), false));
}

/**
 * Returns a wallet's private key, to sign a transaction with. It must not be logged, stored, or be in a
 * response or an error.
 * @throws Failure for another master key, and for a key that was moved from another wallet or owner
 */
export function walletKey(
  masterKey: MasterKey,
  { ownerKind, ownerSeq, address, encryptedKey }: StoredKey,
): Hex {
  const context = contextOf({ kind: ownerKind, seq: ownerSeq }, address);
  return `0x${masterKey.decrypt(context, encryptedKey)}`;
}

/** Binds an encrypted key to its owner and its address, so that a change of either is detected. */
function contextOf({ kind, seq }: WalletOwner, address: string): string {
  return `custodial_wallet:${kind}:${seq}:${address}:encrypted_key`;
}
