import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backUpKeys, restoreKeys } from '../../../../src/trust/keys/backup.ts';
import { generateKeyPair, loadKeyPair, saveKeyPair } from '../../../../src/trust/keys/files.ts';

const PASSPHRASE = 'correct horse battery';
let path: string;
const file = (name: string): string => join(path, name);
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'countersign-keys-'));
});
afterEach(() => rmSync(path, { recursive: true }));

const pairs = (['Ed25519', 'ML-DSA-44'] as const).map(generateKeyPair);
const kids = pairs.map(({ kid }) => kid).sort();

test('all keys come back elsewhere, each under its kid, and no other is touched', async () => {
  for (const pair of pairs) saveKeyPair(file('old/keys'), pair);
  expect(await backUpKeys(file('old'), file('backup'), PASSPHRASE)).toEqual(kids);
  for (const { kid } of pairs) {
    expect(readFileSync(file('backup'), 'utf8')).not.toContain(
      readFileSync(file(`old/keys/${kid}.pem`), 'utf8').split('\n')[1] ?? '',
    );
  }
  const there = generateKeyPair('Ed25519');
  saveKeyPair(file('new/keys'), there);
  expect(restoreKeys(file('new'), file('backup'), PASSPHRASE).sort()).toEqual(kids);
  for (const { kid, algorithm, publicKey } of [...pairs, there]) {
    expect(loadKeyPair(file('new/keys'), algorithm, kid).publicKey).toBe(publicKey);
  }
  expect(restoreKeys(file('new'), file('backup'), PASSPHRASE)).toEqual([]);
});

test('what is damaged is neither backed up nor restored', async () => {
  await expect(backUpKeys(file('old'), file('backup'), PASSPHRASE)).rejects.toThrow(/no signing keys in/);
  for (const pair of pairs) saveKeyPair(file('old/keys'), pair);
  await backUpKeys(file('old'), file('backup'), PASSPHRASE);
  await expect(backUpKeys(file('old'), file('backup'), PASSPHRASE)).rejects.toThrow(/is there already/);
  await expect(backUpKeys(file('old'), file('other'), 'short')).rejects.toThrow(/at least 12/);
  expect(() => restoreKeys(file('new'), file('backup'), 'wrong horse battery')).toThrow(
    /backup: the passphrase is wrong/,
  );
  expect(() => restoreKeys(file('new'), file('missing'), PASSPHRASE)).toThrow(/missing cannot be read/);
  writeFileSync(file(`old/keys/${kids[0]}.pem`), 'no key');
  await expect(backUpKeys(file('old'), file('other'), PASSPHRASE)).rejects.toThrow(/is damaged/);
  expect(readdirSync(path).sort()).toEqual(['backup', 'old']);
});
