import { nativePrimitives, signEd25519, signMlDsa44 } from '../../src/platform/crypto/crypto.ts';
import { generateKeyPair, type KeyPair } from '../../src/platform/crypto/key-files.ts';
import type { LogSource } from '../../src/platform/tlog/source.ts';
import { verifierKeyOf } from '../../src/platform/tlog/verifier-key.ts';
import { bytesToHex } from '../../src/proof/encoding/hex.ts';
import { checkpointText } from '../../src/proof/log/checkpoint.ts';
import {
  type KeyEntry,
  keyEntryMessage,
  keyEntryText,
  receiptEntryText,
} from '../../src/proof/log/log-entry.ts';
import type { LogName } from '../../src/proof/log/log-names.ts';
import { Frontier, leafHash } from '../../src/proof/log/merkle.ts';
import { formatNote, formatVerifierKey, SIGNATURE_TYPES } from '../../src/proof/log/note.ts';
import { cosignatureBytes, signedMessage } from '../../src/proof/log/note-signature.ts';
import { encodeEntries, parseTilePath } from '../../src/proof/log/tiles.ts';
import { signingMessage } from '../../src/proof/receipt/receipt.ts';

const AT = '2026-05-01T12:00:00.000Z';

/** The static files of an installation's logs, with any content that a test needs. */
export class FakeLog implements LogSource {
  readonly location = 'http://fake.example/log';
  /** The keys that sign checkpoints, in this order. */
  signers: KeyPair[];
  readonly receiptKey = generateKeyPair('Ed25519');
  entries: Record<LogName, Uint8Array[]> = { receipts: [], keys: [], revocations: [] };
  /** Files that replace those of the log, by path. */
  readonly instead = new Map<string, () => Uint8Array>();
  readonly asked: string[] = [];
  /** The time of the next entry. The first keys are added together, the others later. */
  at = AT;
  /** The time in timed signatures, in seconds since 1970. */
  now = 1_777_636_800;

  constructor(
    readonly origin = 'fake.example',
    readonly logKey = generateKeyPair('Ed25519'),
  ) {
    this.signers = [logKey];
    this.addKey(logKey, 'log', [logKey]);
    this.addKey(this.receiptKey, 'receipts', [this.receiptKey]);
    this.at = '2026-05-01T12:01:00.000Z';
  }

  /** Returns an independent copy. */
  fork(): FakeLog {
    const other = new FakeLog(this.origin, this.logKey);
    other.signers = this.signers;
    other.entries = {
      receipts: [...this.entries.receipts],
      keys: [...this.entries.keys],
      revocations: [...this.entries.revocations],
    };
    other.now = this.now;
    return other;
  }

  /** The log's key in the form of --log-key. */
  get vkey(): string {
    return formatVerifierKey(verifierKeyOf(this.logKey, `${this.origin}/receipts`));
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
    for (let made = 0; made < count; made++) {
      const content_hash = bytesToHex(crypto.getRandomValues(new Uint8Array(32)));
      const entry = {
        receipt_id: `rcpt_${bytesToHex(crypto.getRandomValues(new Uint8Array(16)))}`,
        content_hash,
        signature: bytesToHex(signEd25519(key.privateKey, signingMessage(content_hash))),
        kid: key.kid,
        finalized_at: AT,
      };
      this.entries.receipts.push(Buffer.from(receiptEntryText(entry)));
    }
  }

  /** Returns the signed note of the first `size` entries of a log. */
  note(log: LogName, size = this.entries[log].length): string {
    const origin = `${this.origin}/${log}`;
    const frontier = new Frontier(nativePrimitives);
    for (const entry of this.entries[log].slice(0, size)) frontier.append(leafHash(nativePrimitives, entry));
    const text = checkpointText({ origin, size, root: frontier.root() });
    const signatures = this.signers.map((key) => {
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
    const [log = '', ...rest] = path.split('/');
    if (log !== 'receipts' && log !== 'keys' && log !== 'revocations')
      throw new Error(`${path} is not there`);
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
