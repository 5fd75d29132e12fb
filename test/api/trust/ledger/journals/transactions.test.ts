import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freshIds } from '../../../../../src/platform/ids.ts';
import { creditsOf } from '../../../../../src/trust/ledger/accounts.ts';
import { audited as ledgerTables } from '../../../../../src/trust/ledger/audit.ts';
import { transactionOf } from '../../../../../src/trust/ledger/journal.ts';
import { postIn } from '../../../../../src/trust/ledger/post.ts';
import { audited } from '../../../../support/audit.ts';
import type { client } from '../../../../support/client.ts';
import { journalOf } from '../../../../support/credit-journal.ts';
import { creditedAgent, holderOf } from '../../../../support/credits.ts';
import type { Market } from '../../../../support/engagements.ts';
import { openTraded, type Traded } from '../../../../support/traded.ts';
import { openTrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

const time = new VirtualTime();
let traded: Traded;
let market: Market;

beforeAll(async () => {
  traded = await openTraded(time);
  market = traded.market;
});
afterAll(() => market.app.close());

describe('a transaction', () => {
  const TRANSACTIONS = '/api/v1/transactions';
  const read = (by: Pick<ReturnType<typeof client>, 'get'>, id: string) => by.get(`${TRANSACTIONS}/${id}`);

  test('shows each party its own entries, and those of other agents masked', async () => {
    const { app, worker, hirer } = market;
    const all = await read(app.own, traded.grantId);
    expect([all.status, all.body.kind]).toEqual([200, 'OPERATOR_GRANT']);
    expect(all.body.entries).toMatchObject([
      { operator_id: app.service.firstStart.operatorId, direction: 'debit', amount: 5, memo: 'welcome' },
      { subject_commitment: worker.commitment, direction: 'credit', amount: 5, memo: 'welcome' },
    ]);
    // The worker's sponsor sees nothing of the pool of the other operator.
    const own = await read(app.other, traded.grantId);
    expect(own.body.entries).toMatchObject([{ subject_commitment: worker.commitment, memo: 'welcome' }]);
    const release = (await journalOf(app.own, hirer.commitment)).find(
      ({ kind }) => kind === 'ESCROW_RELEASE',
    );
    const id = `txn_${String(release?.entry_id).slice('entry_'.length, -1)}0`;
    const { body } = await read(app.other, id);
    expect(body.entries).toMatchObject([
      { subject_commitment: expect.stringContaining('…'), of: 'locked', memo: null, salt: null },
      { subject_commitment: worker.commitment, direction: 'credit', salt: expect.any(String) },
      { subject_commitment: expect.stringContaining('…'), of: 'locked' },
      { subject_commitment: worker.commitment, direction: 'credit' },
    ]);
  });

  test('of others is not found, as one that does not exist', async () => {
    const { app, hirer } = market;
    const stranger = await holderOf(app, hirer);
    expect((await read(stranger, traded.grantId)).status).toBe(404);
    for (const id of [`txn_${'0'.repeat(32)}`, 'txn_1', 'x'])
      expect((await read(app.own, id)).status).toBe(404);
    expect((await read(app.anyone, traded.grantId)).status).toBe(401);
  });

  test('is found whatever the clock did, also after a restart with an earlier clock', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'countersign-clock-'));
    const posted: string[] = [];
    let app = await openTrustApp({}, null, directory);
    const { agent } = await creditedAgent(app, { credits: { promotional: 10 } });
    /** Posts five payments with ids of a time, in one of which two classes move. */
    const post = async (now: number) => {
      const { trust } = app.service;
      const ids = {
        ...freshIds,
        newId: (prefix: string) => prefix + Bun.randomUUIDv7('buffer', now).toString('hex'),
      };
      const revenue = { kind: 'revenue', ownerSeq: 0, name: 'revenue' } as const;
      const issuance = { kind: 'issuance', ownerSeq: 0, name: 'issuance' } as const;
      for (const portions of [{ promotional: 1 }, { promotional: 1, sandbox: 1 }, { sandbox: 1 }])
        await trust.store.writeAsService(async (tx) => {
          const by = { ...trust, ids };
          const to = creditsOf(agent);
          await postIn(tx, by, { kind: 'SETTLEMENT', from: issuance, to, portions });
          posted.push(
            (await postIn(tx, by, { kind: 'METER', from: to, to: revenue, portions })).transactionId,
          );
        });
    };
    const found = () =>
      app.service.trust.store.read((snapshot) =>
        Promise.all(
          posted.map(async (id) => (await transactionOf(snapshot, id))?.entries.map(({ entry }) => entry)),
        ),
      );
    const start = 1_700_000_000_000;
    const hour = 3600_000;
    for (const at of [start, start + hour, start - hour, start + 1, start + 2 * hour, start - 2 * hour])
      await post(at);
    const before = await found();
    expect(before.map((entries) => entries?.[0]?.entry.entry_id.slice('entry_'.length, -1))).toEqual(
      posted.map((id) => id.slice('txn_'.length, -1)),
    );
    expect(before.map((entries) => entries?.length)).toEqual(posted.map((_, at) => (at % 3 === 1 ? 2 : 1)));
    await app.close();
    app = await openTrustApp({}, null, directory);
    await post(start - 3 * hour);
    expect((await found()).filter((entries) => entries === undefined)).toEqual([]);
    expect((await found()).slice(0, before.length)).toEqual(before);
    await app.service.trust.store.read(async (snapshot) => {
      for (const id of [`txn_${'0'.repeat(32)}`, `txn_${'f'.repeat(32)}`, `${posted[3]?.slice(0, -2)}f0`])
        expect(await transactionOf(snapshot, id)).toBe(null);
    });
    const { reported } = await audited(app.directory, { only: ledgerTables });
    expect(reported.map(({ sentence }) => sentence)).toEqual([]);
    await app.close();
    rmSync(directory, { recursive: true });
  });
});
