import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { verify } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { signEd25519 } from '../../../../src/platform/crypto/crypto.ts';
import {
  generateKeyPair,
  KeyFileError,
  loadKeyPair,
  saveKeyPair,
} from '../../../../src/platform/crypto/key-files.ts';
import { takeDataDirectory } from '../../../../src/platform/data-directory.ts';
import { openTrustService } from '../../../../src/trust/service/service.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-keys-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

describe.each(['Ed25519', 'ML-DSA-44'] as const)('a key file of %s', (algorithm) => {
  test('returns the saved key from a file that only its owner can read', () => {
    const pair = generateKeyPair(algorithm);
    saveKeyPair(directory, pair);
    const file = join(directory, `${pair.kid}.pem`);
    expect(readdirSync(directory)).toEqual([`${pair.kid}.pem`]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const loaded = loadKeyPair(directory, algorithm, pair.kid);
    expect([loaded.kid, loaded.publicKey]).toEqual([pair.kid, pair.publicKey]);
    expect(pair.publicKey.length).toBe(algorithm === 'Ed25519' ? 64 : 2624);
    expect(pair.kid).toMatch(/^[\w-]{43}$/);
  });

  test('is refused when it is missing, open to others, or not the one that its name says', () => {
    const [one, two] = [generateKeyPair(algorithm), generateKeyPair(algorithm)];
    const load = () => loadKeyPair(directory, algorithm, one.kid);
    expect(load).toThrow(KeyFileError);
    saveKeyPair(directory, one);
    chmodSync(join(directory, `${one.kid}.pem`), 0o640);
    expect(load).toThrow(/can be read by other users/);
    saveKeyPair(directory, two);
    renameSync(join(directory, `${two.kid}.pem`), join(directory, `${one.kid}.pem`));
    expect(load).toThrow(/not the key that its name says/);
  });
});

test('a saved key signs as before', () => {
  const pair = generateKeyPair('Ed25519');
  saveKeyPair(directory, pair);
  const message = new TextEncoder().encode('message');
  const signature = signEd25519(loadKeyPair(directory, 'Ed25519', pair.kid).privateKey, message);
  expect(verify(null, message, pair.privateKey, signature)).toBe(true);
});

test('a service whose key is missing does not open, and lets go of its database', async () => {
  const log = pino({ level: 'silent' });
  const config = new Map<string, string>();
  const options = { version: 'test', url: 'http://localhost' };
  const path = join(directory, 'data');
  const held = takeDataDirectory(path);
  await (await openTrustService(held, config, log, options)).close();
  const keys = join(path, 'keys');
  const first = readdirSync(keys).find((name) => name.endsWith('.pem')) ?? '';
  renameSync(join(keys, first), join(directory, first));
  await expect(openTrustService(held, config, log, options)).rejects.toBeInstanceOf(KeyFileError);
  await openTrustService(held, config, log, options).catch(() => null);
  renameSync(join(directory, first), join(keys, first));
  await (await openTrustService(held, config, log, options)).close();
  held.release();
});
