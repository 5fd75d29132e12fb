import { nativePrimitives, signEd25519, signMlDsa44 } from '../../src/platform/crypto/crypto.ts';
import { generateKeyPair, type KeyPair } from '../../src/platform/crypto/key-files.ts';
import type { LogSource } from '../../src/platform/tlog/source.ts';
import { verifierKeyOf } from '../../src/platform/tlog/verifier-key.ts';
import { bytesToHex } from '../../src/proof/encoding/hex.ts';
import { checkpointText } from '../../src/proof/log/checkpoint.ts';
import { logPurposeOf } from '../../src/proof/log/key-purposes.ts';
import { type LogClosedEntry, logChangeText } from '../../src/proof/log/log-change.ts';
import {
  type KeyEntry,
  keyEntryMessage,
  keyEntryText,
  receiptEntryText,
  revocationEntryText,
} from '../../src/proof/log/log-entry.ts';
import { LOG_NAMES, type LogName, mapLogs, originOf } from '../../src/proof/log/log-names.ts';
import { Frontier, leafHash } from '../../src/proof/log/merkle.ts';
import { formatNote, formatVerifierKey, SIGNATURE_TYPES } from '../../src/proof/log/note.ts';
import { cosignatureBytes, signedMessage } from '../../src/proof/log/note-signature.ts';
import { encodeEntries, parseTilePath } from '../../src/proof/log/tiles.ts';
import { signingMessage } from '../../src/proof/receipt/receipt.ts';

const AT = '2026-05-01T12:00:00.000Z';

/** Returns the members of an entry for a version with this hash. */
function signedHash({ privateKey, kid }: KeyPair, content_hash: string) {
  return { content_hash, signature: bytesToHex(signEd25519(privateKey, signingMessage(content_hash))), kid };
}

/** The static files of an installation's logs, with any content that a test needs. */
export class FakeLog implements LogSource {
  readonly location = 'http://fake.example/log';
  /** The keys that sign the checkpoints of each log, in this order. */
  readonly signers: Record<LogName, KeyPair[]>;
  entries: Record<LogName, Uint8Array[]> = mapLogs(() => []);
  /** Files that replace those of the log, by path. */
  readonly instead = new Map<string, () => Uint8Array>();
  readonly asked: string[] = [];
  /** The newest checkpoint of accounts that witnesses cosigned. */
  cosigned: string | null = null;
  /** The time of the next entry. The first keys are added together, the others later. */
  at = AT;
  /** The time in timed signatures, in seconds since 1970. */
  now = 1_777_636_800;

  constructor(
    readonly origin = 'fake.example',
    readonly logKeys: Record<LogName, KeyPair> = mapLogs(() => generateKeyPair('Ed25519')),
    readonly receiptKey = generateKeyPair('Ed25519'),
  ) {
    this.signers = mapLogs((name) => [logKeys[name]]);
    for (const name of LOG_NAMES) this.addKey(logKeys[name], logPurposeOf(name), [logKeys[name]]);
    this.addKey(this.receiptKey, 'receipts', [this.receiptKey]);
    this.at = '2026-05-01T12:01:00.000Z';
  }

  /** The key of the key log. */
  get logKey(): KeyPair {
    return this.logKeys.keys;
  }

  /** Lets a key of each log sign its checkpoints with a time. */
  addTimedKeys(): void {
    for (const name of LOG_NAMES) {
      const timed = generateKeyPair('ML-DSA-44');
      this.addKey(timed, logPurposeOf(name), [this.logKey, timed]);
      this.signers[name].push(timed);
    }
  }

  /**
   * Returns the logs that continue these under another name.
   * @param change what happens to their entries before
   */
  restart(origin: string, change: (entries: FakeLog['entries']) => void = () => undefined): FakeLog {
    const next = this.fork(origin);
    change(next.entries);
    for (const log of LOG_NAMES) {
      const [closed, predecessor] = [this.closing(log), originOf(this.origin, log)];
      next.close(closed);
      next.continue({ log, predecessor });
    }
    return next;
  }

  /** Returns how a log ends if it is closed now. */
  closing(log: LogName): Omit<LogClosedEntry, 'event' | 'at'> {
    const frontier = new Frontier(nativePrimitives);
    for (const entry of this.entries[log]) frontier.append(leafHash(nativePrimitives, entry));
    const ends = { tree_size: frontier.size, root_hash: bytesToHex(frontier.root()), certain: true };
    return { log, origin: originOf(this.origin, log), ...ends };
  }

  /** Logs that another log is closed. */
  close(closed: Omit<LogClosedEntry, 'event' | 'at'>): void {
    this.entries.keys.push(Buffer.from(logChangeText({ event: 'log_closed', ...closed, at: this.at })));
  }

  /** Logs that a log of this installation continues a closed one. */
  continue({ log, predecessor }: { log: LogName; predecessor: string }): void {
    const change = { log, origin: originOf(this.origin, log), predecessor, at: this.at };
    this.entries.keys.push(Buffer.from(logChangeText({ event: 'log_continued', ...change })));
  }

  /** Returns an independent copy. */
  fork(origin = this.origin): FakeLog {
    const other = new FakeLog(origin, this.logKeys, this.receiptKey);
    for (const name of LOG_NAMES) other.signers[name] = [...this.signers[name]];
    other.entries = mapLogs((name) => [...this.entries[name]]);
    other.now = this.now;
    return other;
  }

  /** The key of the key log in the form of --log-key. */
  get vkey(): string {
    return this.vkeyOf('keys');
  }

  /** The key of a log in the form of --log-key. */
  vkeyOf(name: LogName): string {
    return formatVerifierKey(verifierKeyOf(this.logKeys[name], originOf(this.origin, name)));
  }

  addKey(
    key: KeyPair,
    purpose: string,
    signers: readonly KeyPair[],
    event: KeyEntry['event'] = 'added',
  ): void {
    const said = {
      event,
      kid: key.kid,
      algorithm: key.algorithm,
      public_key: key.publicKey,
      purpose,
      at: this.at,
      receipts_tree_size: this.entries.receipts.length,
    };
    const message = keyEntryMessage(nativePrimitives, said);
    const signatures = signers.map(({ kid, algorithm, privateKey }) => ({
      kid,
      signature: bytesToHex(
        algorithm === 'Ed25519' ? signEd25519(privateKey, message) : signMlDsa44(privateKey, message),
      ),
    }));
    this.entries.keys.push(Buffer.from(keyEntryText({ ...said, signatures })));
  }

  /** Logs a number of different receipts. */
  finalize(count: number, key = this.receiptKey): void {
    for (let made = 0; made < count; made++)
      this.finalizeReceipt(`rcpt_${bytesToHex(crypto.getRandomValues(new Uint8Array(16)))}`, key);
  }

  /** Logs a receipt with some content, unless it is given. */
  finalizeReceipt(
    receipt_id: string,
    key = this.receiptKey,
    { finalized_at = AT, content_hash = bytesToHex(crypto.getRandomValues(new Uint8Array(32))) } = {},
  ): void {
    const entry = { receipt_id, ...signedHash(key, content_hash), finalized_at };
    this.entries.receipts.push(Buffer.from(receiptEntryText(entry)));
  }

  /** Logs the revocation of a receipt. */
  revokeReceipt(
    receipt_id: string,
    key = this.receiptKey,
    { revoked_at = AT, content_hash = bytesToHex(crypto.getRandomValues(new Uint8Array(32))) } = {},
  ): void {
    const entry = { receipt_id, ...signedHash(key, content_hash), revoked_at };
    this.entries.revocations.push(Buffer.from(revocationEntryText(entry)));
  }

  /** Returns the signed note of the first `size` entries of a log. */
  note(log: LogName, size = this.entries[log].length): string {
    const origin = `${this.origin}/${log}`;
    const frontier = new Frontier(nativePrimitives);
    for (const entry of this.entries[log].slice(0, size)) frontier.append(leafHash(nativePrimitives, entry));
    return this.noteOf(log, checkpointText({ origin, size, root: frontier.root() }));
  }

  /** Signs the text of any checkpoint as one of a log. */
  noteOf(log: LogName, text: string): string {
    const origin = originOf(this.origin, log);
    const signatures = this.signers[log].map((key) => {
      const { name, keyId, type } = verifierKeyOf(key, origin);
      if (type === SIGNATURE_TYPES.ed25519) {
        return { name, keyId, signature: signEd25519(key.privateKey, signedMessage(type, text, name, 0)) };
      }
      const signature = signMlDsa44(key.privateKey, signedMessage(type, text, name, this.now));
      return { name, keyId, signature: cosignatureBytes(this.now, signature) };
    });
    return formatNote({ text, signatures });
  }

  async read(path: string): Promise<Uint8Array> {
    this.asked.push(path);
    const instead = this.instead.get(path);
    if (instead !== undefined) return instead();
    const [first = '', ...rest] = path.split('/');
    const log = LOG_NAMES.find((name) => name === first);
    if (log === undefined) throw new Error(`${path} is not there`);
    if (rest.join('/') === 'checkpoint?cosigned=yes') return Buffer.from(this.cosigned ?? this.note(log));
    if (rest.join('/') === 'checkpoint') return Buffer.from(this.note(log));
    const tile = parseTilePath(rest.join('/'));
    if (tile === null) throw new Error(`${path} is no tile`);
    return this.tile(log, tile);
  }

  /** Returns the bundle of receipts at an index, of any width. */
  tileOf(index: number, width: number): Uint8Array {
    return this.tile('receipts', { level: 'entries', index, width });
  }

  private tile(
    log: LogName,
    { level, index, width }: { level: number | 'entries'; index: number; width: number },
  ): Uint8Array {
    const start = index * 256;
    if (level === 'entries') return encodeEntries(this.entries[log].slice(start, start + width));
    const span = 256 ** level;
    const hashes = Array.from({ length: width }, (_, at) => {
      const frontier = new Frontier(nativePrimitives);
      const from = (start + at) * span;
      for (const entry of this.entries[log].slice(from, from + span))
        frontier.append(leafHash(nativePrimitives, entry));
      return frontier.root();
    });
    return Buffer.concat(hashes);
  }
}
