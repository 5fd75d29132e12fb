import { Database } from 'bun:sqlite';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import creditReturns from '../../../../../db/trust/migrations/0035_credit_returns.sql' with { type: 'text' };
import { DAY_MS } from '../../../../../src/platform/time/units.ts';
import { audited as escrowTables } from '../../../../../src/trust/hires/escrow/audit.ts';
import { balancesIn } from '../../../../../src/trust/ledger/balances.ts';
import { operatorById } from '../../../../../src/trust/operators/status.ts';
import { confirmPayout } from '../../../../../src/trust/payments/payouts/confirm.ts';
import { failPayout } from '../../../../../src/trust/payments/payouts/fail.ts';
import { agentAuth, audienceOf } from '../../../../support/agent.ts';
import { audited } from '../../../../support/audit.ts';
import { concurrently } from '../../../../support/client.ts';
import { availableIn, journalOf, verifiedJournal } from '../../../../support/credit-journal.ts';
import { type CreditedAgent, creditedAgent, fundPool } from '../../../../support/credits.ts';
import {
  ENGAGEMENTS,
  type Market,
  marketOf,
  openMarket,
  SERVICE_TOKEN,
} from '../../../../support/engagements.ts';
import { accountsOf, byName, sumsOf } from '../../../../support/ledger-accounts.ts';
import { queuePayout } from '../../../../support/payouts.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

const ALL_CLASSES = { promotional: 100, paid: 60, sandbox: 30 };

let market: Market;
let app: TrustApp;
let time: VirtualTime;

beforeEach(async () => {
  time = new VirtualTime();
  market = await openMarket({}, time);
  app = market.app;
});
afterEach(() => app.close());

const pathOf = ({ commitment }: { commitment: string }, what: string) =>
  `/api/v1/passport/agents/${commitment}/${what}`;

async function revoke(agent: { commitment: string }, by = app.own): Promise<void> {
  expect((await by.post(pathOf(agent, 'revoke'))).status).toBe(200);
}

/** An agent of the second operator with credits, whose pool is empty. */
const agentOfOther = (credits: Parameters<typeof creditedAgent>[1] = {}) =>
  creditedAgent(app, { sponsor: app.otherId, ...credits });

/** The credits in the pool of an operator, of each class that it ever had. */
function poolOf(operatorId: string): Promise<Record<string, number>> {
  return app.service.trust.store.read(async (snapshot) => {
    const { operatorSeq: ownerSeq } = (await operatorById(snapshot, operatorId)) ?? { operatorSeq: -1 };
    return Object.fromEntries(await balancesIn(snapshot, { kind: 'pool', ownerSeq }));
  });
}

/** The available credits of an agent, by class. */
async function availableTo(agent: CreditedAgent): Promise<Record<string, number>> {
  const { promotional, paid, sandbox } = await market.figures(agent);
  return { promotional: promotional.available, paid: paid.available, sandbox: sandbox.available };
}

const NOTHING = { promotional: 0, paid: 0, sandbox: 0 };

const queued = () =>
  app.service.trust.store.read(({ connection: { sqlite } }) =>
    Promise.resolve(sqlite.query<[number], []>('SELECT agent_seq FROM credit_return').values().flat()),
  );

/** What fsck finds in escrow, with the database as it is now. */
async function escrowProblems(): Promise<string[]> {
  const [table] = escrowTables;
  if (table === undefined) throw new Error('escrow is not audited');
  return app.service.trust.store.read(async (snapshot) => {
    const start = { directory: '', clock: time, snapshot: Promise.resolve(snapshot) };
    const { whole } = await table.begin(start);
    return ((await whole?.(snapshot))?.problems ?? []).map(({ what }) => what);
  });
}

describe('the credits of a revoked agent', () => {
  test.each([
    ['its sponsor', () => app.other],
    ['an administrator', () => app.own],
  ])('that %s revoked are in the pool of its sponsor, in their classes', async (_, by) => {
    const agent = await agentOfOther({ credits: ALL_CLASSES });
    await revoke(agent, by());
    expect(await availableTo(agent)).toEqual(ALL_CLASSES);
    expect(await escrowProblems()).toEqual([]);
    await market.returnCredits();
    expect(await availableTo(agent)).toEqual(NOTHING);
    expect(await poolOf(app.otherId)).toEqual(ALL_CLASSES);
    const { body } = await app.other.get('/api/v1/operator/status');
    expect(body.credits).toBe(160);
    const live = (await app.anyone.get(pathOf(agent, 'passport-live'))).body;
    expect(live).toMatchObject({
      tier: 'SUSPENDED',
      credit_state: 'inactive',
      balances: { granted: 160, earned: 0, spent: 160, locked: 0, available: 0 },
    });
  });

  test('are debited in its journal as one transaction, whose operator strangers see masked', async () => {
    const agent = await agentOfOther({ credits: ALL_CLASSES });
    await revoke(agent);
    await market.returnCredits();
    const entries = await journalOf(app.other, agent.commitment);
    const returned = entries.slice(0, 3);
    for (const entry of returned) {
      expect(entry).toMatchObject({
        kind: 'ADJUSTMENT',
        direction: 'debit',
        balance_after: 0,
        reference: 'agent_revoked',
        counterparty: app.otherId,
      });
    }
    expect(returned.map(({ asset, amount }) => [asset, amount])).toEqual([
      ['sandbox', 30],
      ['paid', 60],
      ['promotional', 100],
    ]);
    expect(new Set(returned.map(({ entry_id }) => String(entry_id).slice(0, -1))).size).toBe(1);
    expect(availableIn(verifiedJournal(agent.commitment, entries))).toEqual(NOTHING);
    const [shown] = await journalOf(app.anyone, agent.commitment);
    expect(shown).toMatchObject({ kind: 'ADJUSTMENT', amount: 30 });
    expect(JSON.stringify(shown)).not.toContain(app.otherId);
  });

  test('move once, however often it is revoked and the scheduler runs', async () => {
    const agent = await agentOfOther({ credits: ALL_CLASSES });
    await revoke(agent);
    expect((await app.own.post(pathOf(agent, 'revoke'))).status).toBe(409);
    await Promise.all([market.returnCredits(), market.returnCredits(), market.returnCredits()]);
    await market.returnCredits();
    expect(await poolOf(app.otherId)).toEqual(ALL_CLASSES);
    expect(await queued()).toEqual([]);
  });

  test('are not looked for if it has none', async () => {
    const agent = await agentOfOther();
    await revoke(agent);
    expect(await queued()).toEqual([]);
  });

  test.each(['SUSPENDED', 'CLOSED'] as const)(
    'are in the pool of its sponsor even while that account is %s',
    async (status) => {
      const agent = await agentOfOther({ credits: ALL_CLASSES });
      await app.service.trust.store.writeAsService(({ connection: { sqlite } }) =>
        sqlite.run('UPDATE operator SET account_status = ? WHERE operator_id = ?', [status, app.otherId]),
      );
      await revoke(agent);
      await market.returnCredits();
      expect(await poolOf(app.otherId)).toEqual(ALL_CLASSES);
    },
  );

  test('are unclaimed if it has no sponsor', async () => {
    const agent = await creditedAgent(app, { sponsor: null, credits: ALL_CLASSES });
    await revoke(agent);
    await market.returnCredits();
    expect(await availableTo(agent)).toEqual(NOTHING);
    const accounts = byName(await accountsOf(app));
    expect(accounts['unclaimed 0 paid']).toEqual([60, 0, 0, 0]);
    const [entry] = await journalOf(app.anyone, agent.commitment);
    expect(entry).toMatchObject({ kind: 'ADJUSTMENT', counterparty: 'unclaimed' });
  });

  test('go to the sponsor that it has when they move, which only an administrator can change', async () => {
    const agent = await agentOfOther({ credits: ALL_CLASSES });
    const { operatorId } = app.service.firstStart;
    const before = await poolOf(operatorId);
    await revoke(agent);
    const path = pathOf(agent, 'sponsor');
    const body = { operator_id: app.otherId };
    const line = { method: 'PUT', path, body, audience: await audienceOf(app) };
    const stolen = { ...body, agent_auth: agentAuth(agent, line, time.now()) };
    expect((await app.other.call('PUT', path, stolen)).body.reason_code).toBe('agent_not_enrolled');
    expect((await app.own.call('PUT', path, { operator_id: operatorId })).status).toBe(200);
    await market.returnCredits();
    expect(await poolOf(app.otherId)).toEqual(NOTHING);
    expect(await poolOf(operatorId)).toEqual({
      promotional: (before.promotional ?? 0) + 100,
      paid: 60,
      sandbox: 30,
    });
  });

  test('stay queued if the pool cannot hold them, and stop nobody else', async () => {
    const [stuck, free] = [
      await agentOfOther({ credits: { paid: 2_000_000 } }),
      await creditedAgent(app, { credits: { paid: 5 } }),
    ];
    const { promotional = 0 } = await poolOf(app.service.firstStart.operatorId);
    const full = Number.MAX_SAFE_INTEGER - promotional - 1000;
    await fundPool(app, app.otherId, { promotional: full });
    await revoke(stuck);
    await revoke(free);
    const failure = await market.returnCredits().then(() => null, String);
    expect(failure).toContain('the credits of 1 revoked agents cannot be returned');
    expect([(await availableTo(stuck)).paid, (await availableTo(free)).paid]).toEqual([2_000_000, 0]);
    expect(await escrowProblems()).toEqual([]);
    await fundPool(app, app.otherId, { promotional: -full });
    await market.returnCredits();
    expect((await poolOf(app.otherId)).paid).toBe(2_000_000);
  });

  test('return for more agents than one run has, in the runs after it', async () => {
    // As many agents as one run has, without their requests.
    await app.service.trust.store.writeAsService(({ connection: { sqlite } }) => {
      const numbers = 'WITH RECURSIVE n (i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 2099)';
      sqlite.run(`${numbers} INSERT INTO agent (agent_seq, subject_commitment, public_key, context, passport_id, state, issued_at)
        SELECT i, randomblob(32), public_key, context, randomblob(16), state, issued_at FROM n, agent WHERE agent_seq = 1`);
      sqlite.run('INSERT INTO credit_return SELECT agent_seq FROM agent WHERE agent_seq >= 100');
    });
    const last = await agentOfOther({ credits: ALL_CLASSES });
    await revoke(last);
    await market.returnCredits();
    expect(await queued()).toEqual([last.agent.agentSeq]);
    expect(await availableTo(last)).toEqual(ALL_CLASSES);
    await market.returnCredits();
    expect(await poolOf(app.otherId)).toEqual(ALL_CLASSES);
  });
});

describe('while the revoked agent', () => {
  test('is the hirer of a HELD engagement, its credits stay until that is refunded', async () => {
    const { hirer, worker, hire, refundInactive, returnCredits } = market;
    await hire(hirer, worker);
    await revoke(hirer);
    await returnCredits();
    expect((await availableTo(hirer)).promotional).toBe(990);
    const { promotional = 0 } = await poolOf(app.service.firstStart.operatorId);
    expect(await escrowProblems()).toEqual([]);
    await refundInactive();
    await returnCredits();
    expect(await availableTo(hirer)).toEqual(NOTHING);
    expect((await poolOf(app.service.firstStart.operatorId)).promotional).toBe(promotional + 1000);
  });

  test.each([
    ['paid', 990],
    ['refunded by the worker', 1000],
  ])('is the hirer of a DELIVERED engagement, its credits stay until that is %s', async (end, returned) => {
    const { hirer, worker, hire, deliver, endDue, refundInactive, returnCredits } = market;
    const task = await hire(hirer, worker);
    await deliver(worker, task);
    await revoke(hirer);
    await refundInactive();
    await returnCredits();
    expect((await availableTo(hirer)).promotional).toBe(990);
    expect(await escrowProblems()).toEqual([]);
    const { promotional = 0 } = await poolOf(app.service.firstStart.operatorId);
    if (end === 'paid') {
      time.advance(3 * DAY_MS);
      await endDue();
    } else expect((await app.other.post(`${ENGAGEMENTS}/${task}/refund`)).status).toBe(200);
    await returnCredits();
    expect((await market.figures(hirer)).promotional).toMatchObject({ locked: 0, available: 0 });
    expect((await poolOf(app.service.firstStart.operatorId)).promotional).toBe(promotional + returned);
  });

  test.each([
    ['accepted', 10],
    ['due', 10],
  ])(
    'is the worker of a DELIVERED engagement, its credits stay until that is %s, and return with the pay',
    async (end, pay) => {
      const { hirer, hire, deliver, endDue, returnCredits } = market;
      const worker = await agentOfOther({ credits: { promotional: 3, paid: 4 } });
      const task = await hire(hirer, worker);
      await deliver(worker, task);
      await revoke(worker, app.other);
      await returnCredits();
      expect(await availableTo(worker)).toEqual({ promotional: 3, paid: 4, sandbox: 0 });
      expect(await escrowProblems()).toEqual([]);
      if (end === 'due') {
        time.advance(3 * DAY_MS);
        await endDue();
      } else expect((await app.own.post(`${ENGAGEMENTS}/${task}/accept`)).status).toBe(200);
      await returnCredits();
      expect(await availableTo(worker)).toEqual(NOTHING);
      expect(await poolOf(app.otherId)).toMatchObject({ promotional: 3 + pay, paid: 4 });
    },
  );

  test('is the worker of a HELD engagement, its credits stay until the hirer has its own back', async () => {
    const { hirer, hire, refundInactive, returnCredits, figures } = market;
    const worker = await agentOfOther({ credits: { paid: 4 } });
    await hire(hirer, worker);
    await revoke(worker, app.other);
    await returnCredits();
    expect((await availableTo(worker)).paid).toBe(4);
    await refundInactive();
    await returnCredits();
    expect((await availableTo(worker)).paid).toBe(0);
    expect((await poolOf(app.otherId)).paid).toBe(4);
    expect((await figures(hirer)).promotional).toMatchObject({ locked: 0, available: 1000 });
  });

  test.each([
    ['confirmed', 60],
    ['failed', 100],
  ])('has a withdrawal, its credits stay until that is %s', async (end, returned) => {
    const { trust } = app.service;
    const agent = await agentOfOther({ credits: { paid: 100 } });
    const id = await queuePayout(app, agent);
    await revoke(agent);
    await market.returnCredits();
    expect((await market.figures(agent)).paid).toMatchObject({ available: 60, locked: 40 });
    expect(await escrowProblems()).toEqual([]);
    if (end === 'confirmed') await confirmPayout(trust, id, 'transfer 7');
    else await failPayout(trust, id, { reason: 'no wallet', isUnpaid: false });
    await market.returnCredits();
    expect((await market.figures(agent)).paid).toMatchObject({ available: 0, locked: 0 });
    expect((await poolOf(app.otherId)).paid).toBe(returned);
  });

  test('has had all its credits reserved by a withdrawal, what a failure returns moves on', async () => {
    const agent = await agentOfOther({ credits: { paid: 40 } });
    const id = await queuePayout(app, agent);
    await revoke(agent);
    expect(await queued()).toEqual([]);
    await failPayout(app.service.trust, id, { reason: 'no wallet', isUnpaid: false });
    await market.returnCredits();
    expect(await poolOf(app.otherId)).toMatchObject({ paid: 40 });
  });
});

test('64 connections that transfer, hire, accept and revoke while credits return lose and double none', async () => {
  const { worker, hire, deliver, returnCredits, refundInactive, endDue } = market;
  const agents: CreditedAgent[] = [];
  for (let index = 0; index < 6; index++) agents.push(await creditedAgent(app, { credits: ALL_CLASSES }));
  const [payee, delivering] = [await creditedAgent(app), await agentOfOther()];
  const delivered: string[] = [];
  for (const agent of agents) {
    const task = await hire(agent, delivering);
    await deliver(delivering, task);
    delivered.push(task);
  }
  const before = sumsOf((await accountsOf(app)).filter(({ kind }) => kind !== 'issuance'));
  const steps = agents.flatMap((agent, index) => [
    ...Array.from(
      { length: 6 },
      () => () =>
        app.own.post('/api/v1/passport/credits/transfers', {
          from_commitment: agent.commitment,
          to_commitment: payee.commitment,
          amount: 1,
        }),
    ),
    () => app.own.post(`${ENGAGEMENTS}/${delivered[index]}/accept`),
    () => hire(agent, worker).catch(() => null),
    () => app.own.post(pathOf(agent, 'revoke')),
    () => app.own.post(pathOf(delivering, 'revoke')),
    returnCredits,
    refundInactive,
  ]);
  await concurrently(steps, 64, async (step) => void (await step()));
  time.advance(4 * DAY_MS);
  for (const task of [endDue, refundInactive, returnCredits]) await task();
  const accounts = await accountsOf(app);
  expect(sumsOf(accounts.filter(({ kind }) => kind !== 'issuance'))).toEqual(before);
  for (const agent of [...agents, delivering]) {
    expect(await availableTo(agent)).toEqual(NOTHING);
    expect((await market.figures(agent)).promotional.locked).toBe(0);
  }
  expect(await queued()).toEqual([]);
  expect(await escrowProblems()).toEqual([]);
});

test.each([
  ['a return that is queued by nobody', 'DELETE FROM credit_return', true],
  ['a return that is queued', 'SELECT 1', false],
])('fsck reports credits of a revoked agent, but not while they wait: %s', async (_, sql, isProblem) => {
  const agent = await agentOfOther({ credits: { paid: 7 } });
  await revoke(agent);
  await app.service.trust.store.writeAsService(({ connection: { sqlite } }) => void sqlite.run(sql));
  const problem =
    'a revoked agent without open escrow and withdrawals has credits, and their return is not queued';
  expect(await escrowProblems()).toEqual(isProblem ? [problem] : []);
});

describe('a database of a version that kept the credits of revoked agents', () => {
  const parent = mkdtempSync(join(tmpdir(), 'countersign-credit-returns-'));
  afterAll(() => rmSync(parent, { recursive: true, force: true }));

  test('is whole, and returns them after its first start', async () => {
    const directory = join(parent, 'former');
    const { app: before, hirer, hire, deliver } = await openMarket({ data: directory, credits: ALL_CLASSES });
    const worker = await creditedAgent(before);
    const task = await hire(hirer, worker);
    await deliver(worker, task);
    const [rich, poor] = [await creditedAgent(before, { credits: ALL_CLASSES }), await creditedAgent(before)];
    const lone = await creditedAgent(before, { sponsor: null, credits: { paid: 5 } });
    for (const agent of [hirer, rich, poor, lone]) await revoke(agent, before.own);
    await before.close();
    const database = new Database(join(directory, 'trust.db'));
    const present = database
      .query<{ sql: string }, []>("SELECT sql FROM sqlite_schema WHERE name = 'credits_return_after_escrow'")
      .get();
    for (const trigger of [
      'credits_of_revoked_agent_return',
      'credits_return_after_escrow',
      'credits_return_after_withdrawal',
    ])
      database.run(`DROP TRIGGER ${trigger}`);
    database.run('DROP TABLE credit_return');
    // As the migration finds the rows of an earlier version.
    database.run(creditReturns);
    // A later migration made this trigger again.
    database.run('DROP TRIGGER credits_return_after_escrow');
    database.run(present?.sql ?? '');
    database.close();

    const after = await openTrustApp({ service_token: SERVICE_TOKEN }, null, directory);
    const { returnCredits } = marketOf(after);
    const credits = async (agent: { commitment: string }) =>
      (await after.anyone.get(pathOf(agent, 'credits'))).body.available;
    await returnCredits();
    expect([await credits(hirer), await credits(rich), await credits(lone)]).toEqual([150, 0, 0]);
    expect((await after.own.post(`${ENGAGEMENTS}/${task}/refund`)).status).toBe(200);
    await returnCredits();
    expect(await credits(hirer)).toBe(0);
    expect(byName(await accountsOf(after))['unclaimed 0 paid']).toEqual([5, 0, 0, 0]);
    const { body } = await after.own.get('/api/v1/operator/status');
    expect(body).toMatchObject({ credits: 1_000_320, sandboxCredits: 60 });
    await after.close();
    expect((await audited(directory)).reported).toEqual([]);
  });
});
