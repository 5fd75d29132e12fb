import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nativePrimitives, signEd25519, signMlDsa44 } from '../../src/platform/crypto/crypto.ts';
import { bytesToHex } from '../../src/proof/encoding/hex.ts';
import type { JsonObject } from '../../src/proof/encoding/json.ts';
import { isSignedBy } from '../../src/proof/log/cross-signing.ts';
import { overlapOf } from '../../src/proof/log/key-purposes.ts';
import { type KeyEntry, keyEntryMessage, keyEntryText, readKeyEntry } from '../../src/proof/log/log-entry.ts';
import { bundleRanges, readBundle } from '../../src/proof/log/tiles.ts';
import { smallLog, type TestKey, testKey } from '../../test/support/small-log.ts';
import { VECTORS } from '../../test/support/vectors.ts';

export const KEY_VECTORS = join(VECTORS, 'keys');
const ORIGIN = 'receipts.example/keys';
const OPEN_LOG = 'receipts.example/receipts';
/** The time at which the vectors are verified. */
export const KEY_VECTORS_AT = '2026-06-01T12:00:00.000Z';

/** A key with its purpose. */
export interface PurposeKey extends TestKey {
  purpose: string;
}

export const keyFor = (purpose: string, seed: number, algorithm?: TestKey['algorithm']): PurposeKey => ({
  ...testKey(seed, algorithm),
  purpose,
});

/**
 * The signatures of the stored vectors, by key and message: each ML-DSA-44 signature of a message is another
 * one, so those that are there are used again.
 */
const stored = new Map<string, string>();

/** Reads the signatures of a stored log. */
export function remember(name: string): void {
  const checkpoint = join(KEY_VECTORS, name, 'keys/checkpoint');
  if (!existsSync(checkpoint)) return;
  const size = Number(readFileSync(checkpoint, 'utf8').split('\n')[1]);
  for (const range of bundleRanges(0, size)) {
    for (const bytes of readBundle(readFileSync(join(KEY_VECTORS, name, 'keys', range.path)), range)) {
      const entry = readKeyEntry(bytes.toString());
      const message = Buffer.from(keyEntryMessage(nativePrimitives, entry)).toString();
      for (const { kid, signature } of entry.signatures) stored.set(`${kid} ${message}`, signature);
    }
  }
}

/** A key log under construction. */
export class KeyLogMaker {
  readonly entries: KeyEntry[] = [];
  private time = Date.parse('2026-05-01T12:00:00.000Z');
  private size = 0;

  /** Adds the first keys of the log, which sign their own entries. */
  begin(...keys: readonly PurposeKey[]): this {
    for (const key of keys) this.event('added', key, key).event('activated', key, key);
    return this;
  }

  /** Lets an hour pass, in which the log of receipts grows by ten entries. */
  later(): this {
    this.time += 3600_000;
    this.size += 10;
    return this;
  }

  /** Lets some time pass, or sets the clock back. */
  wait(milliseconds: number): this {
    this.time += milliseconds;
    return this;
  }

  /** Appends an event that keys sign. */
  event(event: KeyEntry['event'], key: PurposeKey, ...signers: readonly TestKey[]): this {
    const said = {
      event,
      kid: key.kid,
      algorithm: key.algorithm,
      public_key: key.public_key,
      purpose: key.purpose,
      at: new Date(this.time).toISOString(),
      receipts_tree_size: this.size,
    };
    this.entries.push({ ...said, signatures: signers.map((signer) => signatureOf(signer, said)) });
    return this;
  }

  copy(): KeyLogMaker {
    const copy = new KeyLogMaker();
    copy.entries.push(...this.entries);
    copy.time = this.time;
    copy.size = this.size;
    return copy;
  }
}

function signatureOf(signer: TestKey, said: Omit<KeyEntry, 'signatures'>): KeyEntry['signatures'][number] {
  const message = keyEntryMessage(nativePrimitives, said);
  const { kid, algorithm, privateKey } = signer;
  if (algorithm === 'Ed25519') return { kid, signature: bytesToHex(signEd25519(privateKey, message)) };
  const known = stored.get(`${kid} ${Buffer.from(message).toString()}`);
  if (known !== undefined && isSignedBy(nativePrimitives, { ...said, signatures: [] }, signer, known))
    return { kid, signature: known };
  return { kid, signature: bytesToHex(signMlDsa44(privateKey, message)) };
}

const STATUS = {
  added: 'next',
  activated: 'active',
  retired: 'retired',
  compromised: 'compromised',
} as const;

/** Returns the row of each key, as the service lists them. */
function rowsOf(entries: readonly KeyEntry[]): JsonObject[] {
  const rows = new Map<string, JsonObject>();
  for (const [
    index,
    { event, kid, algorithm, public_key, purpose, at, receipts_tree_size },
  ] of entries.entries()) {
    const row = rows.get(kid) ?? {
      kid,
      public_key,
      algorithm,
      purpose,
      status: 'next',
      valid_from: new Date(Date.parse(at) + 3600_000).toISOString(),
      valid_until: null,
      log_index: index,
      receipts_logs: [],
      receipts_tree_size: null,
    };
    rows.set(kid, row);
    row.status = STATUS[event];
    if (event === 'activated') row.valid_from = at;
    if (event !== 'retired' && event !== 'compromised') continue;
    const overlap = event === 'retired' ? overlapOf(purpose) : 0;
    row.valid_until = new Date(Date.parse(at) + overlap).toISOString();
    row.receipts_logs = [OPEN_LOG];
    row.receipts_tree_size = receipts_tree_size;
  }
  return [...rows.values()];
}

/** A key log with the verdict on the document of its keys. */
export interface KeyLogStory {
  log: StoredKeyLog;
  verdict: string;
  problem: string | null;
  /** The names of the logs that are copies of closed ones. */
  predecessor?: readonly string[];
}

/** A key log, and the document of its keys. */
export interface StoredKeyLog {
  entries: readonly string[];
  checkpoint: string;
  document: JsonObject;
}

/**
 * @param signers the keys that sign the checkpoint, all Ed25519, so that it is the same every time
 * @param texts the leaves, if they are not the entries
 */
export function keyLogOf(
  { entries }: Pick<KeyLogMaker, 'entries'>,
  signers: readonly TestKey[],
  texts: readonly string[] = entries.map(keyEntryText),
  origin = ORIGIN,
): StoredKeyLog {
  const { root, checkpoint } = smallLog(origin, texts, signers);
  return {
    entries: texts,
    checkpoint,
    document: {
      keys: rowsOf(entries),
      log: { origin, tree_size: texts.length, root_hash: bytesToHex(root), checkpoint },
    },
  };
}
