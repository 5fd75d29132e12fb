import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { privateKeyToAddress } from 'viem/accounts';
import { type MasterKey, openMasterKey } from '../../../../../src/platform/crypto/master-key.ts';
import { type NewWallet, newWallet, walletKey } from '../../../../../src/trust/ledger/wallets/keys.ts';

let directory: string;
let masterKey: MasterKey;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-wallet-'));
  masterKey = openMasterKey(directory, false);
});
afterAll(() => rmSync(directory, { recursive: true }));

const madeFor = (seq: number) => newWallet(masterKey, { kind: 'agent', seq });
const stored = ({ owner, ...wallet }: NewWallet) => ({
  ...wallet,
  ownerKind: owner.kind,
  ownerSeq: owner.seq,
});

test('a new wallet has a key of its own, which only the master key decrypts', async () => {
  const wallets = await Promise.all([1, 2].map(madeFor));
  const keys = wallets.map((wallet) => walletKey(masterKey, stored(wallet)));
  expect(new Set(keys).size).toBe(2);
  for (const [at, wallet] of wallets.entries()) {
    const key = keys[at] ?? '0x';
    expect(privateKeyToAddress(key)).toBe(wallet.address);
    expect(JSON.stringify(wallet)).not.toContain(key.slice(2));
  }
});

test('the key of another wallet is refused, and the error shows neither of them', async () => {
  const [one, other] = [await madeFor(1), await madeFor(2)];
  let message = '';
  try {
    walletKey(masterKey, stored({ ...one, encryptedKey: other.encryptedKey }));
  } catch (error) {
    message = Bun.inspect(error);
  }
  expect(message).toContain(`(custodial_wallet:agent:1:${one.address}:encrypted_key) cannot be decrypted`);
  expect(message).not.toContain(walletKey(masterKey, stored(one)).slice(2));
  expect(message).not.toContain(walletKey(masterKey, stored(other)).slice(2));
});

test('the key of a wallet that was given to another owner is refused', async () => {
  const wallet = await madeFor(1);
  expect(() => walletKey(masterKey, stored({ ...wallet, owner: { kind: 'agent', seq: 2 } }))).toThrow(
    'decrypted',
  );
  expect(() => walletKey(masterKey, stored({ ...wallet, owner: { kind: 'operator', seq: 1 } }))).toThrow(
    'decrypted',
  );
});
