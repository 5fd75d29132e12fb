import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { setAccountStatus } from '../../../../../src/trust/pages/dashboard/set-account-status.ts';
import { wrongCounts } from '../../../../support/audit.ts';
import { corroboratedAfter } from '../../../../support/corroborated.ts';
import { ENGAGEMENTS, type Market, openMarket } from '../../../../support/engagements.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

const DAY = 86_400_000;

let time: VirtualTime;
let market: Market;
beforeEach(async () => {
  time = new VirtualTime(Date.parse('2026-11-21T12:00:00Z'));
  market = await openMarket({ credits: { promotional: 1000, sandbox: 1000 } }, time);
});
afterEach(() => market.app.close());

/** Hires the worker, which delivers what it signs. @returns the task_id */
async function delivered(more: Record<string, unknown> = {}): Promise<string> {
  const task = await market.hire(market.hirer, market.worker, more);
  expect((await market.deliverSigned(market.worker, task)).status).toBe(200);
  return task;
}

async function accept(task: string): Promise<void> {
  const { status, body } = await market.app.own.post(`${ENGAGEMENTS}/${task}/accept`);
  expect([status, body.error]).toEqual([200, undefined]);
}

async function accepted(count: number, more: Record<string, unknown> = {}): Promise<void> {
  for (let turn = 0; turn < count; turn++) await accept(await delivered(more));
}

/** The worker pays credits to the hirer. */
async function payBack(amount: number): Promise<void> {
  const { status } = await market.app.other.post('/api/v1/passport/credits/transfers', {
    from_commitment: market.worker.commitment,
    to_commitment: market.hirer.commitment,
    kind: 'PEER_GIFT',
    amount,
  });
  expect(status).toBe(201);
}

/** What the profile of the worker says, after so many days. */
const after = (days: number) => corroboratedAfter(market.app, time, market.worker, days);

describe('an accepted delivery', () => {
  test('corroborates from 30 days after its acceptance, for 30 days', async () => {
    await accepted(3);
    expect(await after(29)).toBe(0);
    expect(await after(1)).toBe(3);
    expect(await after(29)).toBe(3);
    expect(await after(1)).toBe(0);
  });

  test('is one of at most five for each sponsor that pays', async () => {
    await accepted(7);
    expect(await after(30)).toBe(5);
  });

  test.each([
    ['of which half of the credits came back counts by half', 20, 2],
    ['of which all credits came back does not count', 40, 0],
    ['of which a quarter came back late counts by three quarters', 10, 3],
  ] as const)('%s', async (_name, back, counted) => {
    await accepted(4);
    time.advance(20 * DAY);
    await payBack(back);
    expect(await after(10)).toBe(counted);
  });

  test('to a sponsor that is suspended does not count, and counts again when it is active', async () => {
    await accepted(2);
    const { trust, firstStart } = market.app.service;
    await setAccountStatus(trust, firstStart.operatorId, 'SUSPENDED');
    expect(await after(30)).toBe(0);
    await setAccountStatus(trust, firstStart.operatorId, 'ACTIVE');
    // What is going to be counted again is no problem until then.
    expect(await trust.store.read(wrongCounts)).toEqual([]);
    expect(await after(0)).toBe(2);
  });

  test('that is disputed and then accepted counts', async () => {
    const task = await delivered();
    await market.app.own.post(`${ENGAGEMENTS}/${task}/dispute`, { reason: 'rubbish' });
    await accept(task);
    expect(await after(30)).toBe(1);
  });
});

describe('what corroborates nothing:', () => {
  test('a payment by silence', async () => {
    await delivered();
    time.advance(4 * DAY);
    await market.endDue();
    expect(await after(30)).toBe(0);
  });

  test('a decision about a dispute', async () => {
    const task = await delivered();
    await market.app.own.post(`${ENGAGEMENTS}/${task}/dispute`, { reason: 'rubbish' });
    const { status } = await market.app.own.post(`${ENGAGEMENTS}/${task}/resolve`, {
      worker_amount: 10,
      note: 'it was fine',
    });
    expect(status).toBe(200);
    expect(await after(30)).toBe(0);
  });

  test('a hire between agents of one sponsor', async () => {
    const { agentSeq } = market.hirer.agent;
    await market.app.service.trust.store.writeAsService(async ({ connection }) => {
      connection.sqlite.run(
        'UPDATE agent SET sponsor_seq = (SELECT sponsor_seq FROM agent WHERE agent_seq = ?) WHERE agent_seq = ?',
        [agentSeq, market.worker.agent.agentSeq],
      );
    });
    await accepted(2);
    expect(await after(30)).toBe(0);
  });

  test('work that was refunded', async () => {
    const task = await delivered();
    await market.app.other.post(`${ENGAGEMENTS}/${task}/refund`);
    expect(await after(30)).toBe(0);
  });
});

test('work that the platform attested counts at once, and its acceptance not a second time', async () => {
  const task = await market.hire(market.hirer, market.worker);
  await market.deliver(market.worker, task);
  await accept(task);
  expect(await after(0)).toBe(1);
  expect(await after(30)).toBe(0);
});

test('a clock that steps back counts nothing twice, and nothing early', async () => {
  await accepted(2);
  expect(await after(30)).toBe(2);
  expect(await after(-5)).toBe(2);
  await accepted(1);
  expect(await after(5)).toBe(2);
  expect(await after(25)).toBe(3);
  expect(await after(4)).toBe(3);
  expect(await after(1)).toBe(1);
});

test('fsck names an acceptance and a payment of no such hire', async () => {
  await accepted(1);
  await delivered();
  const { store } = market.app.service.trust;
  await store.writeAsService(async ({ connection: { sqlite } }) => {
    sqlite.run(`INSERT INTO accepted_delivery SELECT max(escrow_seq), worker_seq, 1, 2, 20000 FROM escrow`);
  });
  const problems = await store.read(wrongCounts);
  expect(problems.map(({ table, what }) => [table, what])).toEqual([
    ['accepted_delivery', 'it is not what the hire says'],
  ]);
});
