import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backUpKeys, restoreKeys } from '../../../../../src/platform/crypto/key-backup.ts';
import { generateKeyPair, loadKeyPair, saveKeyPair } from '../../../../../src/platform/crypto/key-files.ts';
import { isMasterKey, makeMasterKey } from '../../../../../src/platform/crypto/master-key.ts';
import { isSigningKey } from '../../../../../src/trust/log/keys/files/key-file.ts';

const PASSPHRASE = 'correct horse battery';
let path: string;
const file = (name: string): string => join(path, name);
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'countersign-keys-'));
});
afterEach(() => rmSync(path, { recursive: true }));

const pairs = (['Ed25519', 'ML-DSA-44'] as const).map(generateKeyPair);
const RING = { service: 'trust', isKey: isSigningKey };
const kids = pairs.map(({ kid }) => kid).sort();
const names = kids.map((kid) => `${kid}.pem`);

test('all keys come back elsewhere, each under its kid, and no other is touched', async () => {
  for (const pair of pairs) saveKeyPair(file('old/keys'), pair);
  expect(await backUpKeys(RING, file('old'), file('backup'), PASSPHRASE)).toEqual(names);
  for (const { kid } of pairs) {
    expect(readFileSync(file('backup'), 'utf8')).not.toContain(
      readFileSync(file(`old/keys/${kid}.pem`), 'utf8').split('\n')[1] ?? '',
    );
  }
  const there = generateKeyPair('Ed25519');
  saveKeyPair(file('new/keys'), there);
  expect(restoreKeys(RING, file('new'), file('backup'), PASSPHRASE).sort()).toEqual(names);
  for (const { kid, algorithm, publicKey } of [...pairs, there]) {
    expect(loadKeyPair(file('new/keys'), algorithm, kid).publicKey).toBe(publicKey);
  }
  expect(restoreKeys(RING, file('new'), file('backup'), PASSPHRASE)).toEqual([]);
});

test('what is damaged is neither backed up nor restored', async () => {
  await expect(backUpKeys(RING, file('old'), file('backup'), PASSPHRASE)).rejects.toThrow(/no keys in/);
  for (const pair of pairs) saveKeyPair(file('old/keys'), pair);
  await backUpKeys(RING, file('old'), file('backup'), PASSPHRASE);
  await expect(backUpKeys(RING, file('old'), file('backup'), PASSPHRASE)).rejects.toThrow(/already exists/);
  await expect(backUpKeys(RING, file('old'), file('other'), 'short')).rejects.toThrow(/at least 12/);
  expect(() => restoreKeys(RING, file('new'), file('backup'), 'wrong horse battery')).toThrow(
    /backup: the passphrase is wrong/,
  );
  expect(() => restoreKeys(RING, file('new'), file('missing'), PASSPHRASE)).toThrow(/missing cannot be read/);
  writeFileSync(file(`old/keys/${kids[0]}.pem`), 'no key');
  await expect(backUpKeys(RING, file('old'), file('other'), PASSPHRASE)).rejects.toThrow(
    /is damaged, or is not a key/,
  );
  expect(readdirSync(path).sort()).toEqual(['backup', 'old']);
  writeFileSync(file(`old/keys/${names[0]}`), '');
  rmSync(file('old/keys'), { recursive: true });
  for (const pair of pairs) saveKeyPair(file('old/keys'), pair);
  await backUpKeys({ service: 'other', isKey: isSigningKey }, file('old'), file('others'), PASSPHRASE);
  expect(() => restoreKeys(RING, file('new'), file('others'), PASSPHRASE)).toThrow(
    /has the keys of the other service/,
  );
  expect(() =>
    restoreKeys({ service: 'trust', isKey: () => false }, file('new'), file('backup'), PASSPHRASE),
  ).toThrow(/has a damaged key/);
});

test('another master key is not silently kept: nothing is restored until it is moved away', async () => {
  const ring = {
    service: 'trust',
    isKey: (name: string, text: string) => isSigningKey(name, text) || isMasterKey(name, text),
  };
  for (const pair of pairs) saveKeyPair(file('old/keys'), pair);
  makeMasterKey(file('old'));
  await backUpKeys(ring, file('old'), file('backup'), PASSPHRASE);
  makeMasterKey(file('new'));
  expect(() => restoreKeys(ring, file('new'), file('backup'), PASSPHRASE)).toThrow(
    /new\/keys\/master\.key is another key than master\.key in the backup; nothing was restored/,
  );
  expect(readdirSync(file('new/keys'))).toEqual(['master.key']);
  rmSync(file('new/keys/master.key'));
  expect(restoreKeys(ring, file('new'), file('backup'), PASSPHRASE).sort()).toEqual(
    [...names, 'master.key'].sort(),
  );
  expect(readFileSync(file('new/keys/master.key'), 'utf8')).toBe(
    readFileSync(file('old/keys/master.key'), 'utf8'),
  );
  expect(readFileSync(file('backup'), 'utf8')).not.toContain(
    readFileSync(file('old/keys/master.key'), 'utf8').trim(),
  );
});
