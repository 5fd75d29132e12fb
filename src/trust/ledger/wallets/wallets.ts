import type { MasterKey } from '../../../platform/crypto/master-key.ts';
import type { Authority } from '../../../platform/store/authority.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Snapshot, Transaction } from '../../../platform/store/transaction.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import type { WalletsPolicy } from './evm-policy.ts';
import { type NewWallet, newWallet, walletKey } from './keys.ts';
import { insertWallet, outermostWallets, type WalletOwner, type WalletRow, walletOf } from './store.ts';

export { hasWallets, type WalletOwner, type WalletRow, walletByAddress, walletOf } from './store.ts';

/**
 * Decrypts the keys of the oldest and the newest wallet, to find a master key of another directory.
 * @throws Failure
 */
export async function checkMasterKey(snapshot: Snapshot, masterKey: MasterKey): Promise<void> {
  for (const wallet of await outermostWallets(snapshot)) walletKey(masterKey, wallet);
}

/**
 * Returns the wallet of the owner of `candidate`. The first touch stores `candidate` as this wallet. One of
 * several concurrent first touches makes the wallet, and all return it.
 * @param candidate of `newWallet`, made before the transaction
 */
export async function walletOfIn(
  tx: Transaction,
  { clock }: { clock: Clock },
  { owner, address, encryptedKey }: NewWallet,
): Promise<WalletRow> {
  const wallet = await walletOf(tx, owner);
  if (wallet !== null) return wallet;
  return insertWallet(tx, {
    ownerKind: owner.kind,
    ownerSeq: owner.seq,
    address,
    encryptedKey,
    createdAt: clock.now(),
  });
}

/**
 * Returns an owner's wallet, which the first touch makes. Only the first touch writes: it is charged, and
 * refused to a caller that may not write.
 * @throws ApiError as every write of the authority, only if there is no wallet yet
 */
export async function touchedWallet(
  trust: { store: Store; clock: Clock; masterKey: MasterKey; readOnly: boolean },
  authority: Authority,
  owner: WalletOwner,
): Promise<WalletRow> {
  const { store, masterKey, readOnly } = trust;
  const wallet = await store.read((snapshot) => walletOf(snapshot, owner));
  if (wallet !== null) return wallet;
  // A read-only service refuses the write, and has no master key to make a key with.
  const candidate = readOnly
    ? { owner, address: '0x' as const, encryptedKey: '' }
    : await newWallet(masterKey, owner);
  return store.write(authority, (tx) => walletOfIn(tx, trust, candidate));
}

/**
 * Returns the chain of all wallets by CAIP-2: `eip155:` and the chain id; `eip155`, only the namespace, while
 * no chain is configured, since an address is the same on every EVM chain.
 */
export function chainOf({ evm }: WalletsPolicy): string {
  return evm === null ? 'eip155' : `eip155:${evm.chainId}`;
}
