import { type MasterKey, makeMasterKey, openMasterKey } from '../platform/crypto/master-key.ts';
import type { Store } from '../platform/store/store.ts';
import type { Snapshot } from '../platform/store/transaction.ts';
import { checkMasterKey, hasWallets } from './wallets/wallets.ts';
import { hasWebhooks } from './webhooks/webhooks.ts';

/** Returns whether the database has a secret of a webhook or the key of a wallet, which only the master key decrypts. */
export async function isMasterKeyInUse(snapshot: Snapshot): Promise<boolean> {
  return (await hasWebhooks(snapshot)) || (await hasWallets(snapshot));
}

/**
 * Opens the master key of the data directory, which all its secrets share. A start makes a missing one before there is a secret, so that a
 * backup of the keys after the first start contains it.
 * @throws Failure if it is missing though in use, or another one encrypted the keys of wallets
 */
export async function openSharedMasterKey(
  store: Store,
  directory: string,
  readOnly: boolean,
): Promise<MasterKey> {
  const isInUse = await store.read(isMasterKeyInUse);
  if (!isInUse && !readOnly) makeMasterKey(directory);
  const masterKey = openMasterKey(directory, isInUse);
  await store.read((snapshot) => checkMasterKey(snapshot, masterKey));
  return masterKey;
}
