import { join } from 'node:path';
import { KEY_ALGORITHMS } from '../../../../db/trust/keys-enums.ts';
import { generateKeyPair, saveKeyPair } from '../../../platform/crypto/key-files.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import { type Clock, timestamp } from '../../../platform/time/clock.ts';
import { LOG_PURPOSES } from '../../../proof/log/key-purposes.ts';
import { closedLogsIn, receiptsLogsOf } from '../../../proof/log/log-chain.ts';
import { refuseOlderDatabase } from '../lifecycle/fork.ts';
import { addedKeyIndexes, endedKeyIndexes } from './log/leaves.ts';
import { logChangesOf } from './log/log-changes.ts';
import { Signer } from './signing/signer.ts';
import { allKeys, insertKeys, type KeyAlgorithm, type KeyPurpose, type SigningKeyRow } from './store.ts';

/** The keys that every service has: each log has one of either algorithm. */
export const REQUIRED_KEYS: readonly { purpose: KeyPurpose; algorithm: KeyAlgorithm }[] = [
  { purpose: 'receipts', algorithm: 'Ed25519' },
  { purpose: 'credentials', algorithm: 'Ed25519' },
  ...LOG_PURPOSES.flatMap((purpose) => KEY_ALGORITHMS.map((algorithm) => ({ purpose, algorithm }))),
];

/**
 * Opens the signing keys: generates the missing ones, at the first start or in a new version, and loads all.
 * A key file is written before the row that names it, so no row is ever without its key.
 *
 * @throws KeyFileError if a key that the database names is not in the directory; Failure if a key is missing
 * and the log must not be continued
 */
export async function openSigner(store: Store, dataDirectory: string, clock: Clock): Promise<Signer> {
  const directory = join(dataDirectory, 'keys');
  const stored = await store.read(allKeys);
  const isMissing = ({ purpose, algorithm }: (typeof REQUIRED_KEYS)[number]): boolean =>
    !stored.some((row) => row.purpose === purpose && row.algorithm === algorithm);
  const fresh = REQUIRED_KEYS.filter(isMissing).map((key) => ({ ...key, ...generateKeyPair(key.algorithm) }));
  if (fresh.length === 0) return new Signer(directory, stored);
  // A restored database may lack published keys, including keys of these purposes, which recover restores.
  if (stored.length > 0) await store.read((snapshot) => refuseOlderDatabase(snapshot, dataDirectory));
  for (const pair of fresh) saveKeyPair(directory, pair);
  const rows = await store.writeAsService(async (tx) => {
    const validFrom = timestamp(clock);
    await insertKeys(
      tx,
      fresh.map(({ kid, purpose, algorithm, publicKey }) => {
        return { kid, purpose, algorithm, publicKey, status: 'active', validFrom };
      }),
    );
    return allKeys(tx);
  });
  return new Signer(directory, rows);
}

/** Reads the signing keys without generating any. @throws KeyFileError */
export async function readSigner(store: Store, dataDirectory: string): Promise<Signer> {
  return new Signer(join(dataDirectory, 'keys'), await store.read(allKeys));
}

/** Returns the key_seq of a key; null for an unknown kid. */
export async function keySeqOf(snapshot: Snapshot, kid: string): Promise<number | null> {
  return (await allKeys(snapshot)).find((key) => key.kid === kid)?.keySeq ?? null;
}

/** The records of keys, which are read once: public requests need them, and keys change rarely. */
const records = new WeakMap<readonly SigningKeyRow[], readonly KeyRecord[]>();

type KeyRecord = Awaited<ReturnType<typeof readRecords>>[number];

/**
 * Returns all signing keys, even ended ones, with their indexes in the key log and ends in the receipts log.
 * @param keys the keys of the signer before the snapshot was opened: the snapshot is not older than they are
 * @param open the origin of the open log of receipts
 */
export async function keyRecords(
  snapshot: Snapshot,
  keys: readonly SigningKeyRow[],
  open: string,
): Promise<readonly KeyRecord[]> {
  const known = records.get(keys);
  if (known !== undefined) return known;
  const read = await readRecords(snapshot, keys, open);
  records.set(keys, read);
  return read;
}

async function readRecords(snapshot: Snapshot, keys: readonly SigningKeyRow[], open: string) {
  const indexes = await addedKeyIndexes(snapshot);
  const ends = await endedKeyIndexes(snapshot);
  const closedLogs = closedLogsIn(await logChangesOf(snapshot));
  const logsOf = ({ keySeq, receiptsTreeSize: size }: SigningKeyRow): string[] => {
    const index = ends.get(keySeq);
    return size === null || index === undefined ? [] : receiptsLogsOf({ index, size }, closedLogs, open);
  };
  return keys.map((row) => ({
    kid: row.kid,
    public_key: row.publicKey,
    algorithm: row.algorithm,
    purpose: row.purpose,
    status: row.status,
    valid_from: row.validFrom,
    valid_until: row.validUntil,
    log_index: indexes.get(row.keySeq) ?? null,
    receipts_logs: logsOf(row),
    receipts_tree_size: row.receiptsTreeSize,
  }));
}
