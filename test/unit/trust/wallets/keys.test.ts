import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { privateKeyToAddress } from 'viem/accounts';
import { type MasterKey, openMasterKey } from '../../../../src/platform/crypto/master-key.ts';
import { newWallet, walletKey } from '../../../../src/trust/wallets/keys.ts';

let directory: string;
let masterKey: MasterKey;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-wallet-'));
  masterKey = openMasterKey(directory, false);
});
afterAll(() => rmSync(directory, { recursive: true }));

test('a new wallet has a key of its own, which only the master key decrypts', async () => {
  const wallets = await Promise.all([newWallet(masterKey), newWallet(masterKey)]);
  const keys = wallets.map((wallet) => walletKey(masterKey, wallet));
  expect(new Set(keys).size).toBe(2);
  for (const [at, wallet] of wallets.entries()) {
    const key = keys[at] ?? '0x';
    expect(privateKeyToAddress(key)).toBe(wallet.address);
    expect(JSON.stringify(wallet)).not.toContain(key.slice(2));
  }
});

test('the key of another wallet is refused, and the error shows neither of them', async () => {
  const [one, other] = [await newWallet(masterKey), await newWallet(masterKey)];
  const swapped = { address: one.address, encryptedKey: other.encryptedKey };
  let message = '';
  try {
    walletKey(masterKey, swapped);
  } catch (error) {
    message = Bun.inspect(error);
  }
  expect(message).toContain(`(custodial_wallet:${one.address}:encrypted_key) cannot be decrypted`);
  expect(message).not.toContain(walletKey(masterKey, one).slice(2));
  expect(message).not.toContain(walletKey(masterKey, other).slice(2));
});
