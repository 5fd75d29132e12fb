import { join } from 'node:path';
import { KEY_ALGORITHMS } from '../../../../db/trust/keys-enums.ts';
import { generateKeyPair, saveKeyPair } from '../../../platform/crypto/key-files.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import { type Clock, timestamp } from '../../../platform/time/clock.ts';
import { hexToBytes } from '../../../proof/encoding/hex.ts';
import { publicKeyJwk, publicKeyMultibase } from '../../../proof/keys/kid.ts';
import { LOG_PURPOSES } from '../../../proof/log/key-purposes.ts';
import { type ClosedLogSizes, originsWhereKeyEnded } from '../lifecycle/closed-logs.ts';
import { refuseOlderDatabase } from '../lifecycle/fork.ts';
import type { TrustLog } from '../lifecycle/open.ts';
import { allLogs } from '../logs.ts';
import { addedKeyIndexes } from './log/leaves.ts';
import { audienceOf } from './signing/audience.ts';
import { Signer } from './signing/signer.ts';
import { allKeys, insertKeys, type KeyAlgorithm, type KeyPurpose } from './store.ts';

/** The keys that every service has: each log has one of either algorithm. */
export const REQUIRED_KEYS: readonly { purpose: KeyPurpose; algorithm: KeyAlgorithm }[] = [
  { purpose: 'receipts', algorithm: 'Ed25519' },
  { purpose: 'credentials', algorithm: 'Ed25519' },
  ...LOG_PURPOSES.flatMap((purpose) => KEY_ALGORITHMS.map((algorithm) => ({ purpose, algorithm }))),
];

/**
 * Opens the signing keys: generates the missing ones, at the first start or in a new version, and loads all. A key file is written before
 * the row that names it, so no row is ever without its key.
 *
 * @throws KeyFileError if a key that the database names is not in the directory; Failure if a key is missing and the log must not be
 * continued
 */
export async function openSigner(store: Store, dataDirectory: string, clock: Clock): Promise<Signer> {
  const directory = join(dataDirectory, 'keys');
  const stored = await store.read(allKeys);
  const isMissing = ({ purpose, algorithm }: (typeof REQUIRED_KEYS)[number]): boolean =>
    !stored.some((row) => row.purpose === purpose && row.algorithm === algorithm);
  const fresh = REQUIRED_KEYS.filter(isMissing).map((key) => ({ ...key, ...generateKeyPair(key.algorithm) }));
  if (fresh.length === 0) return new Signer(directory, stored);
  // A restored database may know less than was published, also other keys of these purposes, which recover restores.
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

/** Returns the public key of a purpose with its rotation, as `GET /api/v1/public-key` returns it. */
export async function publicKey(
  { store, signer, log }: { store: Store; signer: Signer; log: TrustLog },
  purpose: KeyPurpose,
) {
  const keys = await store.read(allKeys);
  const rows = keys.filter((row) => row.purpose === purpose && row.algorithm === 'Ed25519');
  const active = rows.find(({ status }) => status === 'active');
  if (active === undefined) throw new Error(`no active key for ${purpose}`);
  const next = rows.find(({ status }) => status === 'next');
  const bytes = hexToBytes(active.publicKey);
  return {
    kid: active.kid,
    algorithm: 'Ed25519' as const,
    public_key: active.publicKey,
    public_key_multibase: publicKeyMultibase(bytes),
    public_key_jwk: publicKeyJwk(bytes),
    purpose,
    audience: audienceOf({ signer, log }),
    valid_from: active.validFrom,
    rotation: {
      next_kid: next?.kid ?? null,
      next_valid_from: next?.validFrom ?? null,
      previous: rows
        .filter(({ status }) => status === 'retired')
        .map(({ kid, publicKey, validFrom, validUntil }) => ({
          kid,
          public_key: publicKey,
          valid_from: validFrom,
          valid_until: validUntil,
        })),
    },
  };
}

/** Returns every signing key, also ended ones, with its index in the key log and its end in the receipts log. */
export async function keyRecords(snapshot: Snapshot, closedLogs: ClosedLogSizes) {
  const indexes = await addedKeyIndexes(snapshot);
  const logs = await allLogs(snapshot);
  return (await allKeys(snapshot)).map((row) => ({
    kid: row.kid,
    public_key: row.publicKey,
    algorithm: row.algorithm,
    purpose: row.purpose,
    status: row.status,
    valid_from: row.validFrom,
    valid_until: row.validUntil,
    log_index: indexes.get(row.keySeq) ?? null,
    receipts_logs:
      row.receiptsTreeSize === null || row.validUntil === null
        ? []
        : originsWhereKeyEnded(logs, closedLogs, { size: row.receiptsTreeSize, at: row.validUntil }),
    receipts_tree_size: row.receiptsTreeSize,
  }));
}

/**
 * Returns a function for the JSON text of every signing key and the state of the key log, as `GET /api/v1/transparency/keys` returns them.
 * The text is cached until a key or the checkpoint changes: the request is public and unlimited, and the keys have 15 KB.
 */
export function transparencyKeys({
  store,
  signer,
  log,
}: {
  store: Store;
  signer: Signer;
  log: TrustLog;
}): () => Promise<string> {
  let cached: { keys: unknown; checkpoint: unknown; json: string } | null = null;
  return async () => {
    // Both are replaced when they change. The signer's keys change after the commit, so this snapshot is not older than they are.
    const keys = signer.all();
    const checkpoint = log.publisher.latest('keys');
    if (cached?.keys === keys && cached.checkpoint === checkpoint) return cached.json;
    const { origin, tree_size, root_hash, note } = checkpoint.response;
    const json = JSON.stringify({
      keys: await store.read((snapshot) => keyRecords(snapshot, log.closedLogSizes)),
      log: { origin, tree_size, root_hash, checkpoint: note },
    });
    cached = { keys, checkpoint, json };
    return json;
  };
}
