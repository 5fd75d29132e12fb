import { describe, expect, test } from 'bun:test';
import { nativePrimitives, signEd25519, signMlDsa44 } from '../../../../src/platform/crypto/crypto.ts';
import { generateKeyPair, type KeyPair } from '../../../../src/platform/crypto/key-files.ts';
import { bytesToHex } from '../../../../src/proof/encoding/hex.ts';
import { keyLogProblems } from '../../../../src/proof/log/key-log.ts';
import { logPurposeOf } from '../../../../src/proof/log/key-purposes.ts';
import { type KeyEntry, keyEntryMessage } from '../../../../src/proof/log/log-entry.ts';
import { LOG_NAMES, type LogName } from '../../../../src/proof/log/log-names.ts';

type Algorithm = KeyPair['algorithm'];

const BEGINNING = '2026-05-01T12:00:00.000Z';

/** A key log under construction: first the keys of every log, of either algorithm, then what a test adds. */
class KeyLog {
  readonly entries: KeyEntry[] = [];
  private readonly first = new Map<string, KeyPair>();
  at = BEGINNING;

  constructor() {
    for (const purpose of ['receipts', 'credentials']) this.begin(purpose, 'Ed25519');
    for (const name of LOG_NAMES) {
      for (const algorithm of ['Ed25519', 'ML-DSA-44'] as const) this.begin(logPurposeOf(name), algorithm);
    }
    this.at = '2026-06-01T12:00:00.000Z';
  }

  /** Returns the first key of a log. */
  of(name: LogName, algorithm: Algorithm = 'Ed25519'): KeyPair {
    return this.named(logPurposeOf(name), algorithm);
  }

  named(purpose: string, algorithm: Algorithm = 'Ed25519'): KeyPair {
    const pair = this.first.get(`${purpose} ${algorithm}`);
    if (pair === undefined) throw new Error(`there is no key for ${purpose}`);
    return pair;
  }

  /** Appends an event. @returns the key */
  add(event: KeyEntry['event'], purpose: string, key: KeyPair, signers: readonly KeyPair[]): KeyPair {
    const entry = {
      event,
      kid: key.kid,
      algorithm: key.algorithm,
      public_key: key.publicKey,
      purpose,
      at: this.at,
      receipts_tree_size: 0,
    };
    const message = keyEntryMessage(nativePrimitives, entry);
    const signatures = signers.map(({ kid, algorithm, privateKey }) => ({
      kid,
      signature: bytesToHex(
        algorithm === 'Ed25519' ? signEd25519(privateKey, message) : signMlDsa44(privateKey, message),
      ),
    }));
    this.entries.push({ ...entry, signatures });
    return key;
  }

  problems(): string[] {
    return keyLogProblems(
      nativePrimitives,
      this.entries.map((entry, index) => ({ entry, index })),
    ).map(({ what }) => what);
  }

  private begin(purpose: string, algorithm: Algorithm): void {
    const key = generateKeyPair(algorithm);
    this.first.set(`${purpose} ${algorithm}`, key);
    this.add('added', purpose, key, [key]);
    this.add('activated', purpose, key, [key]);
  }
}

const fresh = () => generateKeyPair('Ed25519');
const NOT_CROSS_SIGNED = [expect.stringMatching(/^it adds the key .*, which no earlier key cross-signed$/)];

describe('a key log', () => {
  test('that begins with keys that sign themselves has no problem', () => {
    expect(new KeyLog().problems()).toEqual([]);
  });

  test.each<[string, (log: KeyLog, next: KeyPair) => void]>([
    [
      'of a rotation: the old and the new key of one log',
      (log, next) => {
        const old = log.of('revocations');
        log.add('added', 'revocations-log', next, [old, next]);
        log.add('retired', 'revocations-log', old, [old, next]);
        log.add('activated', 'revocations-log', next, [old, next]);
      },
    ],
    [
      'of a new purpose that the key log cross-signs',
      (log, next) => {
        log.add('added', 'revocations-log', next, [log.of('keys'), next]);
        log.add('activated', 'revocations-log', next, [log.of('keys'), next]);
      },
    ],
    [
      "of the compromise of another log's key, which the key log's key reports",
      (log, next) => {
        log.add('added', 'receipts-log', next, [log.of('keys'), next]);
        log.add('compromised', 'receipts-log', log.of('receipts'), [log.of('keys')]);
        log.add('activated', 'receipts-log', next, [log.of('keys'), next]);
      },
    ],
    [
      "of the compromise of the key log's Ed25519 key, whose successor its ML-DSA-44 key cross-signs",
      (log, next) => {
        const twin = log.of('keys', 'ML-DSA-44');
        log.add('added', 'keys-log', next, [twin, next]);
        log.add('compromised', 'keys-log', log.of('keys'), [next]);
        log.add('activated', 'keys-log', next, [twin, next]);
        log.add('compromised', 'receipts', log.named('receipts'), [next]);
      },
    ],
    [
      "of the compromise of the key log's ML-DSA-44 key",
      (log) => {
        const twin = log.of('keys', 'ML-DSA-44');
        log.add('compromised', 'keys-log', twin, [log.of('keys')]);
      },
    ],
  ])('accepts the signatures %s', (_name, act) => {
    const log = new KeyLog();
    act(log, fresh());
    expect(log.problems()).toEqual([]);
  });

  test.each<[string, (log: KeyLog, next: KeyPair) => void]>([
    ['by itself only', (log, next) => void log.add('added', 'receipts-log', next, [next])],
    [
      'by itself only, and dates itself to the first start',
      (log, next) => {
        log.at = BEGINNING;
        log.add('added', 'receipts', next, [next]);
      },
    ],
    [
      'by itself only, of a purpose that the log does not have yet',
      (log, next) => {
        // A log that knows no key of this purpose.
        const at = log.entries.findIndex(({ purpose }) => purpose === 'revocations-log');
        log.entries.splice(at, log.entries.length - at);
        log.add('added', 'revocations-log', next, [next]);
      },
    ],
    [
      "by another log's key",
      (log, next) => void log.add('added', 'revocations-log', next, [log.of('receipts'), next]),
    ],
    [
      'by the key of the receipts log, for the key log',
      (log, next) => void log.add('added', 'keys-log', next, [log.of('receipts'), next]),
    ],
    [
      'by the ML-DSA-44 key of another log than the key log',
      (log, next) => void log.add('added', 'receipts-log', next, [log.of('receipts', 'ML-DSA-44'), next]),
    ],
    [
      'by the key that signs receipts',
      (log, next) => void log.add('added', 'receipts-log', next, [log.named('receipts'), next]),
    ],
  ])('reports an added key that is signed %s', (_name, act) => {
    const log = new KeyLog();
    act(log, fresh());
    expect(log.problems()).toEqual(NOT_CROSS_SIGNED);
  });

  test("does not let a compromised key of the key log cross-sign a key or report another's compromise", () => {
    const log = new KeyLog();
    const [next, thief] = [fresh(), fresh()];
    const twin = log.of('keys', 'ML-DSA-44');
    log.add('added', 'keys-log', next, [twin, next]);
    log.add('compromised', 'keys-log', log.of('keys'), [next]);
    expect(log.problems()).toEqual([]);
    log.add('added', 'receipts-log', thief, [log.of('keys'), thief]);
    expect(log.problems()).toEqual(NOT_CROSS_SIGNED);
    log.add('compromised', 'keys-log', next, [log.of('keys')]);
    expect(log.problems()).toEqual([
      ...NOT_CROSS_SIGNED,
      expect.stringContaining('no other key of the key log signed the report'),
    ]);
  });

  test.each<[string, (log: KeyLog) => readonly KeyPair[]]>([
    ['itself', (log) => [log.of('receipts')]],
    ['its twin', (log) => [log.of('receipts', 'ML-DSA-44')]],
    ["another log's key", (log) => [log.of('revocations')]],
    ['the key that signs receipts', (log) => [log.named('receipts')]],
  ])("reports the compromise of a log's key that is signed by %s", (_name, signers) => {
    const log = new KeyLog();
    log.add('compromised', 'receipts-log', log.of('receipts'), signers(log));
    expect(log.problems()).toEqual([
      `it reports the key ${log.of('receipts').kid} as compromised, but no other key of the key log signed the report`,
    ]);
  });

  test.each(['activated', 'retired'] as const)('reports a key that only itself says to be %s', (event) => {
    const log = new KeyLog();
    const old = log.of('receipts');
    const next = fresh();
    if (event === 'activated') log.add('added', 'receipts-log', next, [old, next]);
    const key = event === 'activated' ? next : old;
    log.add(event, 'receipts-log', key, [key]);
    expect(log.problems()).toEqual([`no other key than ${key.kid} signed it`]);
  });
});
