import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { updateSponsor } from '../../../../../src/trust/agents/store.ts';
import { operatorById } from '../../../../../src/trust/operators/status.ts';
import { corroboratedAfter } from '../../../../support/corroborated.ts';
import { creditedAgent } from '../../../../support/credits.ts';
import { type Agent, ENGAGEMENTS, type Market, openMarket } from '../../../../support/engagements.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

const DAY = 86_400_000;

let time: VirtualTime;
let market: Market;
beforeEach(async () => {
  time = new VirtualTime(Date.parse('2026-11-21T12:00:00Z'));
  market = await openMarket({ credits: { promotional: 1000 } }, time);
});
afterEach(() => market.app.close());

/** Hires, delivers and accepts. */
async function accepted(worker: Agent, count: number, hirer = market.hirer): Promise<void> {
  for (let turn = 0; turn < count; turn++) {
    const task = await market.hire(hirer, worker);
    expect((await market.deliverSigned(worker, task)).status).toBe(200);
    const { status, body } = await market.app.own.post(`${ENGAGEMENTS}/${task}/accept`);
    expect([status, body.error]).toEqual([200, undefined]);
  }
}

const after = (agent: Agent, days: number) => corroboratedAfter(market.app, time, agent, days);

/** Gives an agent a sponsor, null for none. */
async function sponsor({ agent }: Agent, operatorId: string | null): Promise<void> {
  await market.app.service.trust.store.writeAsService(async (tx) => {
    const operator = operatorId === null ? null : await operatorById(tx, operatorId);
    const sponsorSeq = operator?.operatorSeq ?? null;
    const at = new Date(time.now()).toISOString();
    await updateSponsor(tx, { agentSeq: agent.agentSeq, sponsorSeq, at });
  });
}

/** Makes an operator one that an agent made for itself, with a plan. */
async function setPlan(operatorId: string, plan: 'FREE' | 'PRO'): Promise<void> {
  await market.app.service.trust.store.writeAsService(async ({ connection }) => {
    connection.sqlite.run('UPDATE operator SET self_provisioned = 1, plan = ? WHERE operator_id = ?', [
      plan,
      operatorId,
    ]);
  });
}

describe('of the deliveries between two sponsors', () => {
  test('the first five count, whatever agents of the worker’s sponsor they are of', async () => {
    const second = await creditedAgent(market.app, { sponsor: market.app.otherId });
    const third = await creditedAgent(market.app, { sponsor: market.app.otherId });
    await accepted(market.worker, 3);
    await accepted(second, 4);
    time.advance(DAY);
    await accepted(third, 5);
    expect(await after(market.worker, 29)).toBe(3);
    expect(await after(second, 1)).toBe(2);
    expect(await after(third, 0)).toBe(0);
    // Those of the first day no longer count, and make room.
    expect(await after(third, 29)).toBe(5);
    expect(await after(market.worker, 0)).toBe(0);
  });

  test('at most five count by one hirer’s sponsor, however often the agent changes its own', async () => {
    await accepted(market.worker, 5);
    const { operatorId } = await market.independentAgent();
    await sponsor(market.worker, operatorId);
    await accepted(market.worker, 5);
    expect(await after(market.worker, 30)).toBe(5);
  });

  test('none counts if the worker carries its pay to the hirer’s sponsor', async () => {
    await accepted(market.worker, 4);
    await sponsor(market.worker, market.app.service.firstStart.operatorId);
    expect(await after(market.worker, 30)).toBe(0);
  });

  test('none counts if it does so after a while without a sponsor', async () => {
    await accepted(market.worker, 4);
    await sponsor(market.worker, null);
    time.advance(DAY);
    await sponsor(market.worker, market.app.service.firstStart.operatorId);
    expect(await after(market.worker, 29)).toBe(0);
  });

  test('all count of a hirer that is revoked later', async () => {
    await accepted(market.worker, 2);
    const { status } = await market.app.own.post(
      `/api/v1/passport/agents/${market.hirer.commitment}/revoke`,
      {
        reason: 'retired',
      },
    );
    expect(status).toBe(200);
    expect(await after(market.worker, 30)).toBe(2);
  });

  test('none counts while an agent made the hirer’s sponsor for itself, without a paid plan', async () => {
    const { operatorId } = market.app.service.firstStart;
    await accepted(market.worker, 2);
    await setPlan(operatorId, 'FREE');
    expect(await after(market.worker, 30)).toBe(0);
    await setPlan(operatorId, 'PRO');
    expect(await after(market.worker, 0)).toBe(2);
    await setPlan(operatorId, 'FREE');
    expect(await after(market.worker, 0)).toBe(0);
  });
});

test('many deliveries of which most credits came back count by the share that stayed', async () => {
  await accepted(market.worker, 12);
  const { status } = await market.app.other.post('/api/v1/passport/credits/transfers', {
    from_commitment: market.worker.commitment,
    to_commitment: market.hirer.commitment,
    amount: 90,
  });
  expect(status).toBe(201);
  // 12 × (1 − 90 ÷ 120)
  expect(await after(market.worker, 30)).toBe(3);
});
