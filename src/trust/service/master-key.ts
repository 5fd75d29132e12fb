import {
  hasMasterKey,
  type MasterKey,
  makeMasterKey,
  openMasterKey,
} from '../../platform/crypto/master-key.ts';
import { Failure } from '../../platform/failure.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';
import { checkMasterKey, hasWallets } from '../ledger/wallets/wallets.ts';
import { hasPushConfigs } from '../protocols/a2a/push/push-configs.ts';
import { loadSubscriptions } from '../webhooks/load-subscriptions.ts';
import { hasWebhooks } from '../webhooks/webhook.ts';

/**
 * Returns whether the database has a secret of a webhook or of push notifications, or a wallet key. Only the
 * master key decrypts them.
 */
async function isMasterKeyInUse(snapshot: Snapshot): Promise<boolean> {
  return (await hasWebhooks(snapshot)) || (await hasPushConfigs(snapshot)) || (await hasWallets(snapshot));
}

/**
 * Returns why the master key of a data directory cannot decrypt the secrets in its database; null if it can,
 * or there are none.
 */
export async function masterKeyProblem(snapshot: Snapshot, directory: string): Promise<string | null> {
  if (!(await isMasterKeyInUse(snapshot))) return null;
  if (!hasMasterKey(directory)) {
    return 'keys/ does not contain master.key, which decrypts the secrets of webhooks and the keys of wallets';
  }
  try {
    const masterKey = openMasterKey(directory, true);
    await checkMasterKey(snapshot, masterKey);
    await loadSubscriptions(snapshot, masterKey);
    return null;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return `the service cannot start with keys/master.key: ${error.message}`;
  }
}

/**
 * Opens the master key of the data directory, which all its secrets share. A start makes a missing one before
 * there is a secret, so that a backup of the keys after the first start contains it.
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
