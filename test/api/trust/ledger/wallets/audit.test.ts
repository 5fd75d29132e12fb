import type { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMasterKey } from '../../../../../src/platform/crypto/master-key.ts';
import { audited as walletTables } from '../../../../../src/trust/ledger/wallets/audit.ts';
import { newWallet, walletKey } from '../../../../../src/trust/ledger/wallets/keys.ts';
import { type WalletRow, walletOf, walletOfIn } from '../../../../../src/trust/ledger/wallets/wallets.ts';
import { audited } from '../../../../support/audit.ts';
import { creditedAgent } from '../../../../support/credits.ts';
import { copyOf, openUnguarded } from '../../../../support/tampering.ts';
import { openTrustApp } from '../../../../support/trust-app.ts';

/** A directory with the wallets of two operators and an agent; tests work on copies. */
let whole: string;
let scratch: string;
let wallet: WalletRow;
/** The private keys of all wallets, which no sentence may show. */
let keys: string[];

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'countersign-wallets-audit-'));
  const app = await openTrustApp();
  const { trust } = app.service;
  for (const caller of [app.own, app.other]) {
    expect((await caller.get('/api/v1/account/wallet')).status).toBe(200);
  }
  const { agent } = await creditedAgent(app);
  const candidate = await newWallet(trust.masterKey, { kind: 'agent', seq: agent.agentSeq });
  wallet = await trust.store.writeAsService((tx) => walletOfIn(tx, trust, candidate));
  const rows = await trust.store.read((snapshot) =>
    Promise.all([1, 2].map((seq) => walletOf(snapshot, { kind: 'operator', seq }))),
  );
  keys = [...rows, wallet].map((row) => (row === null ? 'none' : walletKey(trust.masterKey, row)));
  whole = join(scratch, 'whole');
  copyOf(app.directory, whole);
  await app.close();
});
afterAll(() => rmSync(scratch, { recursive: true }));

/** What fsck says about the wallets, except that triggers are missing. */
async function sentencesOf(directory: string): Promise<string[]> {
  const { reported } = await audited(directory, { only: walletTables });
  const sentences = reported.filter(({ table }) => table !== 'sqlite_schema').map(({ sentence }) => sentence);
  expect(keys.filter((key) => sentences.join('\n').includes(key.slice(2)))).toEqual([]);
  return sentences;
}

function copied(name: string, change: (database: Database) => unknown): string {
  const directory = join(scratch, name.replaceAll(/\W/g, '-'));
  cpSync(whole, directory, { recursive: true });
  const database = openUnguarded(directory);
  change(database);
  database.close();
  return directory;
}

describe('fsck', () => {
  test('finds no problem in wallets', async () => {
    const { outcome, reported } = await audited(whole, { only: walletTables });
    expect(reported).toEqual([]);
    expect(outcome.examined).toMatchObject({ wallets: 3 });
  });

  test.each([
    [
      'an owner that does not exist',
      'UPDATE custodial_wallet SET owner_seq = 99 WHERE wallet_seq = 3',
      'custodial_wallet (wallet_seq 3): its owner does not exist: expected an operator or agent, found agent 99',
    ],
    [
      'an owner of no kind',
      "UPDATE custodial_wallet SET owner_kind = 'nobody' WHERE wallet_seq = 3",
      'its owner does not exist: expected an operator or agent, found nobody 1',
    ],
    [
      'an address in lower case',
      'UPDATE custodial_wallet SET address = lower(address) WHERE wallet_seq = 3',
      'address is not written by EIP-55: expected 0x',
    ],
    [
      'no address',
      "UPDATE custodial_wallet SET address = 'elsewhere' WHERE wallet_seq = 3",
      'address is not written by EIP-55: expected an address, found elsewhere',
    ],
    [
      'the address of somebody else',
      "UPDATE custodial_wallet SET address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' WHERE wallet_seq = 3",
      'custodial_wallet (wallet_seq 3): encrypted_key is not the key of this address and this owner, encrypted with keys/master.key',
    ],
    [
      'the key of another wallet',
      'UPDATE custodial_wallet SET encrypted_key = (SELECT encrypted_key FROM custodial_wallet WHERE wallet_seq = 1) WHERE wallet_seq = 3',
      'encrypted_key is not the key of this address',
    ],
    [
      'a wallet that was deleted',
      'DELETE FROM custodial_wallet WHERE wallet_seq = 2',
      'custodial_wallet (wallet_seq 3): the rows before it are missing: 2 to 2',
    ],
  ])('reports %s', async (name, statement, sentence) => {
    const sentences = await sentencesOf(copied(name, (database) => database.run(statement)));
    expect(sentences).toHaveLength(1);
    expect(sentences[0]).toContain(sentence);
  });

  test('reports both of two wallets whose owners were swapped', async () => {
    const directory = copied('swapped owners', (database) => {
      database.run('UPDATE custodial_wallet SET owner_seq = 99 WHERE wallet_seq = 1');
      database.run('UPDATE custodial_wallet SET owner_seq = 1 WHERE wallet_seq = 2');
      database.run('UPDATE custodial_wallet SET owner_seq = 2 WHERE wallet_seq = 1');
    });
    const sentences = await sentencesOf(directory);
    expect(sentences).toHaveLength(2);
    for (const sentence of sentences) expect(sentence).toContain('the key of this address and this owner');
  });

  test('reports a key that is validly encrypted and belongs to another address', async () => {
    const masterKey = openMasterKey(whole, true);
    const context = `custodial_wallet:agent:${wallet.ownerSeq}:${wallet.address}:encrypted_key`;
    for (const [name, secret, sentence] of [
      [
        'another key',
        '11'.repeat(32),
        `address is not that of its key: expected 0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A, found ${wallet.address}`,
      ],
      ['no key', 'ff'.repeat(32), 'encrypted_key is not the key of this address'],
    ] as const) {
      const directory = copied(name, (database) =>
        database
          .query('UPDATE custodial_wallet SET encrypted_key = ? WHERE wallet_seq = 3')
          .run(masterKey.encrypt(context, secret)),
      );
      const sentences = await sentencesOf(directory);
      expect(sentences).toHaveLength(1);
      expect(sentences[0]).toContain(sentence);
      expect(sentences[0]).not.toContain(secret);
    }
  });

  test('says once that the master key is missing, and of each wallet that another one is there', async () => {
    const missing = copied('missing', () => undefined);
    rmSync(join(missing, 'keys', 'master.key'));
    expect(await sentencesOf(missing)).toEqual([
      'custodial_wallet: the master key keys/master.key is missing, so nobody can send what the wallets hold',
    ]);
    const other = copied('other', () => undefined);
    writeFileSync(join(other, 'keys', 'master.key'), `${'ab'.repeat(32)}\n`, { mode: 0o600 });
    expect(await sentencesOf(other)).toHaveLength(3);
  });
});
