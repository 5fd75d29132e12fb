import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { openMasterKey } from '../../../../src/platform/crypto/master-key.ts';

let directory: string;
let file: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-master-'));
  file = join(directory, 'keys', 'master.key');
});
afterEach(() => rmSync(directory, { recursive: true }));

describe('the master key', () => {
  test('is created with the first secret in a file that only its owner can read, and is not a signing key', () => {
    const key = openMasterKey(directory, false);
    expect(existsSync(file)).toBe(false);
    key.encrypt('a/1', 'secret');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(directory, 'keys'))).toEqual(['master.key']);
  });

  test('decrypts what it encrypted, even after a restart, and each encryption differs', () => {
    const key = openMasterKey(directory, false);
    const sealed = ['', 'whsec_abc', 'ü€'].map((secret) => ({ secret, hex: key.encrypt('a/1', secret) }));
    const again = openMasterKey(directory, true);
    for (const { secret, hex } of sealed) expect(again.decrypt('a/1', hex)).toBe(secret);
    expect(key.encrypt('a/1', 'same')).not.toBe(key.encrypt('a/1', 'same'));
  });

  test('derives one secret for each purpose, the same after a restart, and another one with another key', () => {
    const secret = openMasterKey(directory, false).derive('a');
    const again = openMasterKey(directory, true);
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect([again.derive('a'), again.derive('b') === secret]).toEqual([secret, false]);
    writeFileSync(file, `${'0'.repeat(64)}\n`);
    expect(openMasterKey(directory, true).derive('a')).not.toBe(secret);
  });

  test('decrypts nothing for another place, and nothing that was changed', () => {
    const key = openMasterKey(directory, false);
    const sealed = Buffer.from(key.encrypt('a/1', 'secret'), 'hex');
    expect(() => key.decrypt('a/2', sealed.toString('hex'))).toThrow('a/2) cannot be decrypted');
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: sealed.length - 1 }),
        fc.integer({ min: 1, max: 255 }),
        (at, bits) => {
          const changed = Buffer.from(sealed);
          changed[at] = (changed[at] ?? 0) ^ bits;
          expect(() => key.decrypt('a/1', changed.toString('hex'))).toThrow('cannot be decrypted');
          expect(() => key.decrypt('a/1', sealed.subarray(0, at).toString('hex'))).toThrow(
            'cannot be decrypted',
          );
        },
      ),
    );
  });

  test('of another data directory decrypts nothing', () => {
    const sealed = openMasterKey(directory, false).encrypt('a/1', 'secret');
    rmSync(file);
    const other = openMasterKey(directory, false);
    expect(() => other.decrypt('a/1', sealed)).toThrow('cannot be decrypted');
    other.encrypt('a/1', 'x');
    expect(() => other.decrypt('a/1', sealed)).toThrow('cannot be decrypted');
  });

  test('is refused when it is missing though in use, open to others, or damaged', () => {
    expect(() => openMasterKey(directory, true)).toThrow('is missing');
    openMasterKey(directory, false).encrypt('a/1', 'secret');
    chmodSync(file, 0o640);
    expect(() => openMasterKey(directory, true)).toThrow('can be read by other users');
    chmodSync(file, 0o600);
    writeFileSync(file, 'abc');
    expect(() => openMasterKey(directory, false)).toThrow('damaged');
  });
});
