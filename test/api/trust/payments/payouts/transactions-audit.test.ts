import type { Database } from 'bun:sqlite';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { walletKey } from '../../../../../src/trust/ledger/wallets/keys.ts';
import { walletByAddress } from '../../../../../src/trust/ledger/wallets/wallets.ts';
import { auditedTransactions } from '../../../../../src/trust/payments/payouts/audit/transactions.ts';
import {
  accountOf,
  type ChainAccount,
  transferInput,
  type Unsigned,
} from '../../../../../src/trust/payments/payouts/evm/chain/transactions.ts';
import { hexOf } from '../../../../../src/trust/payments/payouts/evm/chain/values.ts';
import { insertAttempt, type SlotOwner } from '../../../../../src/trust/payments/payouts/evm/store.ts';
import {
  endTransfer,
  insertTransfer,
} from '../../../../../src/trust/payments/payouts/evm/transfers-store.ts';
import { submitPayoutIn } from '../../../../../src/trust/payments/payouts/queue.ts';
import { audited } from '../../../../support/audit.ts';
import { creditedAgent } from '../../../../support/credits.ts';
import { flippedColumns } from '../../../../support/flipped-columns.ts';
import { payoutOf, queuePayout } from '../../../../support/payouts.ts';
import { copyOf, openUnguarded } from '../../../../support/tampering.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';

const TOKEN = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const ELSEWHERE = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
/** Stands for the wallet, which does not exist when the tables of tests are read. */
const ZERO = `0x${'00'.repeat(20)}`;
const TREASURY_KEY = `0x${'17'.repeat(32)}`;
const UNSIGNED: Unsigned = {
  chainId: 8453,
  nonce: 0,
  to: TOKEN,
  value: 0n,
  data: '0x',
  gas: 60_000n,
  maxFeePerGas: 10n,
  maxPriorityFeePerGas: 1n,
};

let whole: string;
let scratch: string;
let app: TrustApp;
let treasury: ChainAccount;
/** The custodial wallet of an agent, which payouts are paid to and transfers come from. */
let wallet: ChainAccount;

/**
 * Two payouts, the first with a replacement; a transfer of all tokens with coins for its gas, and one of
 * coins.
 */
beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'countersign-transactions-audit-'));
  app = await openTrustApp();
  const { trust } = app.service;
  treasury = await accountOf(TREASURY_KEY);
  const agent = await creditedAgent(app, { credits: { paid: 1000 } });
  for (const [index, amount] of [250, 300].entries()) {
    const { payout } = await payoutOf(app, await queuePayout(app, agent, { amount }));
    await trust.store.writeAsService((tx) => submitPayoutIn(tx, trust, payout.payoutSeq, 'evm'));
    const data = transferInput(payout.address, BigInt(amount) * 10_000n);
    for (const maxFeePerGas of index === 0 ? [10n, 20n] : [10n])
      await add(payout, treasury, { nonce: index, data, maxFeePerGas });
    const stored = await trust.store.read((snapshot) => walletByAddress(snapshot, payout.address));
    if (stored === null) throw new Error('no wallet');
    wallet = await accountOf(walletKey(trust.masterKey, stored));
  }
  const transfer = (asset: 'token' | 'native', requested: string) =>
    trust.store.writeAsService((tx) =>
      insertTransfer(tx, {
        address: wallet.address,
        toAddress: ELSEWHERE,
        asset,
        requested,
        reference: 'x',
        createdAt: 0,
        updatedAt: 0,
      }),
    );
  const { transferSeq } = await transfer('token', 'all');
  await add({ transferSeq, purpose: 'gas' }, treasury, { nonce: 2, to: wallet.address, value: 7n });
  await add({ transferSeq, purpose: 'send' }, wallet, { data: transferInput(ELSEWHERE, 33n) });
  await trust.store.writeAsService((tx) =>
    endTransfer(tx, { transferSeq, status: 'failed', lastError: 'reverted', updatedAt: 0 }),
  );
  const second = await transfer('native', '55');
  const send = { transferSeq: second.transferSeq, purpose: 'send' } as const;
  await add(send, wallet, { nonce: 1, to: ELSEWHERE, value: 55n });
  await trust.log.publisher.publish();
  whole = join(scratch, 'whole');
  copyOf(app.directory, whole);
});
afterAll(async () => {
  await app.close();
  rmSync(scratch, { recursive: true });
});

/** Signs and stores a transaction. */
async function add(owner: SlotOwner, by: ChainAccount, differing: Partial<Unsigned>): Promise<void> {
  const transaction = { ...UNSIGNED, ...differing };
  const { chainId, nonce } = transaction;
  const attempt = { ...(await by.sign(transaction)), createdAt: 0 };
  await app.service.trust.store.writeAsService((tx) =>
    insertAttempt(tx, owner, { chainId, sender: by.address, nonce, attempt }),
  );
}

function copied(name: string): { directory: string; database: Database } {
  const directory = join(scratch, name.replaceAll(/\W/g, '-'));
  cpSync(whole, directory, { recursive: true });
  return { directory, database: openUnguarded(directory) };
}

async function sentencesOf(directory: string): Promise<string[]> {
  const { reported } = await audited(directory, { only: auditedTransactions });
  return reported.filter(({ table }) => table !== 'sqlite_schema').map(({ sentence }) => sentence);
}

test('what was signed for payouts and for wallets has no problem', async () => {
  const { reported } = await audited(whole);
  expect(reported.map(({ sentence }) => sentence)).toEqual([]);
});

test.each([
  ['payout_transaction', 'transaction_seq', ['created_at']],
  ['wallet_transaction', 'transaction_seq', ['created_at']],
  ['wallet_transfer', 'transfer_seq', ['created_at', 'last_error', 'reference', 'updated_at']],
])(
  'a change of any column of %s is named, with its row',
  async (table, key, unprovable) => {
    const { directory, database } = copied(table);
    const unproven = new Set<string>();
    const flips = flippedColumns({ directory, database }, table, auditedTransactions);
    for await (const { column, row, sentences, isNamed } of flips) {
      if (unprovable.includes(column) && sentences.length === 0) unproven.add(column);
      // A row with another number is named as one that is missing.
      else if (column === key) expect(sentences.join('\n')).toContain('missing');
      // What a transfer asks for is wrong where its transaction does something else.
      else if (!isNamed && table === 'wallet_transfer')
        expect(sentences.join('\n')).toContain('wallet_transaction (transaction_seq');
      else expect({ column, row, sentences, isNamed }).toMatchObject({ isNamed: true });
    }
    database.close();
    expect([...unproven].sort()).toEqual(unprovable);
    expect(await sentencesOf(directory)).toEqual([]);
  },
  180_000,
);

/** Stores other bytes in a row, signed by the right key: only who knows that key could do so. */
test.each<[string, string, number, () => ChainAccount, Partial<Unsigned>, string]>([
  [
    'another receiver',
    'payout_transaction',
    2,
    () => treasury,
    { data: transferInput(ELSEWHERE, 2_500_000n) },
    'raw_transaction pays another address',
  ],
  [
    'more tokens',
    'payout_transaction',
    2,
    () => treasury,
    { data: transferInput(ZERO, 2_500_001n) },
    'raw_transaction pays another amount: expected 250 US cents, found 2500001 units',
  ],
  [
    'coins',
    'payout_transaction',
    2,
    () => treasury,
    { value: 1n },
    'raw_transaction is not a transfer of tokens',
  ],
  [
    'another chain',
    'payout_transaction',
    2,
    () => treasury,
    { chainId: 1 },
    'chain_id is not that of raw_transaction',
  ],
  [
    'another nonce',
    'payout_transaction',
    2,
    () => treasury,
    { nonce: 9 },
    'nonce is not that of raw_transaction',
  ],
  [
    'another key',
    'payout_transaction',
    2,
    () => wallet,
    {},
    'sender is not the account that signed raw_transaction',
  ],
  [
    'another receiver',
    'wallet_transaction',
    3,
    () => wallet,
    { nonce: 1, to: TOKEN, value: 55n },
    'raw_transaction pays another address',
  ],
  [
    'more coins',
    'wallet_transaction',
    3,
    () => wallet,
    { nonce: 1, to: ELSEWHERE, value: 56n },
    'raw_transaction pays another amount: expected 55, found 56 wei',
  ],
  [
    'coins for gas to somebody',
    'wallet_transaction',
    1,
    () => treasury,
    { nonce: 2, to: ELSEWHERE, value: 7n },
    'raw_transaction pays another address',
  ],
])(
  'a transaction that was signed anew for %s is found in %s',
  async (name, table, seq, by, differing, said) => {
    const { directory, database } = copied(`${table} ${name} ${seq}`);
    const own = wallet.address.slice(2).toLowerCase().padStart(64, '0');
    const data = hexOf((differing.data ?? '0x').slice(2).replace('0'.repeat(64), own));
    const { raw, hash } = await by().sign({ ...UNSIGNED, ...differing, data });
    database
      .query(`UPDATE ${table} SET raw_transaction = ?, tx_hash = ? WHERE transaction_seq = ?`)
      .run(Uint8Array.fromHex(raw.slice(2)), Uint8Array.fromHex(hash.slice(2)), seq);
    database.close();
    expect((await sentencesOf(directory)).join('\n')).toContain(`${table} (transaction_seq ${seq}): ${said}`);
  },
);

const COPY = (table: string, from: string, seq: number) =>
  `INSERT INTO ${table} SELECT 9, ${from}, randomblob(32), raw_transaction, created_at FROM ${table} WHERE transaction_seq = ${seq}`;

test.each([
  [
    'a transaction that is missing',
    'DELETE FROM payout_transaction WHERE transaction_seq = 2',
    'payout_transaction (transaction_seq 3): the rows before it are missing: 2 to 2',
  ],
  [
    'a nonce that two payouts share',
    'UPDATE payout_transaction SET nonce = 0 WHERE transaction_seq = 3',
    'payout_transaction (transaction_seq 3): its nonce is used for two purposes: expected payout 1, found payout 2',
  ],
  [
    'a nonce that a payout shares with coins for gas',
    'UPDATE payout_transaction SET nonce = 2 WHERE transaction_seq = 3',
    'payout_transaction (transaction_seq 3): its nonce is used for two purposes: expected payout 2, found transfer 1, gas',
  ],
  [
    'a nonce that two transfers share',
    "UPDATE wallet_transaction SET nonce = 0 WHERE transaction_seq = 3; UPDATE wallet_transfer SET status = 'confirmed' WHERE transfer_seq = 1",
    'wallet_transaction (transaction_seq 3): its nonce is used for two purposes',
  ],
  [
    'a payout that went back to an earlier nonce',
    'UPDATE payout_transaction SET nonce = 5 WHERE transaction_seq = 1',
    'payout_transaction (transaction_seq 2): its nonce is below that of an earlier transaction: expected at least 5, found 0',
  ],
  [
    'a transfer that went back to an earlier nonce',
    COPY('wallet_transaction', "2, 'send', chain_id, sender, 0", 3),
    'wallet_transaction (transaction_seq 9): its nonce is below that of an earlier transaction',
  ],
  [
    'a transaction of a payout that another rail paid',
    "UPDATE payout SET rail = 'manual' WHERE payout_seq = 1",
    'payout_transaction (transaction_seq 1): its payout is not of the rail evm: expected evm, found manual',
  ],
  [
    'a payout of another worth',
    'UPDATE payout SET usd_cents = 251 WHERE payout_seq = 1',
    'payout_transaction (transaction_seq 1): raw_transaction pays another amount',
  ],
  [
    'a payout that is missing',
    'DELETE FROM payout WHERE payout_seq = 1',
    'payout_transaction (transaction_seq 1): its payout does not exist',
  ],
  [
    'a transfer that was ended without being sent',
    "DELETE FROM wallet_transaction WHERE purpose = 'send'; UPDATE wallet_transfer SET status = 'confirmed'",
    'wallet_transfer (transfer_seq 1): it has ended without a transaction that sent it',
  ],
  [
    'an open transfer without a transaction',
    'DELETE FROM wallet_transaction WHERE transfer_seq = 2',
    'wallet_transfer (transfer_seq 2): it has no transaction',
  ],
  [
    'a transfer from an address that is no wallet',
    `UPDATE wallet_transfer SET address = '${ELSEWHERE}' WHERE transfer_seq = 1`,
    'wallet_transfer (transfer_seq 1): address is not a custodial wallet',
  ],
  [
    'a transfer of an amount that nobody asked for',
    "UPDATE wallet_transfer SET requested = '54' WHERE transfer_seq = 2",
    'wallet_transaction (transaction_seq 3): raw_transaction pays another amount: expected 54, found 55 wei',
  ],
  [
    'a transfer of another asset',
    "UPDATE wallet_transfer SET asset = 'token' WHERE transfer_seq = 2",
    'wallet_transaction (transaction_seq 3): raw_transaction is not a transfer of tokens',
  ],
  [
    'an unknown status',
    "UPDATE wallet_transfer SET status = 'sent' WHERE transfer_seq = 2",
    'wallet_transfer (transfer_seq 2): status is none of its values: expected open, confirmed, failed, found sent',
  ],
])('%s is found', async (name, sql, expected) => {
  const { directory, database } = copied(name);
  database.run(sql);
  database.close();
  expect((await sentencesOf(directory)).join('\n')).toContain(expected);
});

test.each([
  ['failed', "UPDATE payout SET status = 'failed' WHERE payout_seq = 1"],
  [
    'was paid elsewhere',
    "UPDATE payout SET status = 'confirmed', external_reference = 'by hand' WHERE payout_seq = 1",
  ],
])('a payout may take the nonce of one that %s, which a reorganization freed', async (name, sql) => {
  const { directory, database } = copied(name);
  database.run(sql);
  database.run('UPDATE payout_transaction SET nonce = 0 WHERE transaction_seq = 3');
  database.close();
  expect(await sentencesOf(directory)).toEqual([
    'payout_transaction (transaction_seq 3): nonce is not that of raw_transaction: expected 1, found 0',
  ]);
});
