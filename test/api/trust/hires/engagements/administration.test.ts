import { afterAll, beforeAll, expect, test } from 'bun:test';
import {
  acceptAction,
  cancelAction,
  hireAction,
  listAction,
  showAction,
} from '../../../../../src/trust/hires/engagements/actions.ts';
import { creditedAgent } from '../../../../support/credits.ts';
import { type Agent, type Market, openMarket } from '../../../../support/engagements.ts';

let market: Market;
let unsponsored: Agent;

beforeAll(async () => {
  market = await openMarket();
  unsponsored = await creditedAgent(market.app, { sponsor: null, credits: { promotional: 100 } });
});
afterAll(() => market.app.close());

const hire = (task_id: string, hirer: Agent) =>
  hireAction.handle(market.app.service.trust, {
    task_id,
    hirer_commitment: hirer.commitment,
    worker_commitment: market.worker.commitment,
    amount: 5,
  });

test('the administrator hires, accepts and cancels for a hirer without a sponsor, and the receipt names the first operator', async () => {
  const { app, worker, deliver } = market;
  const { trust, firstStart } = app.service;
  await hire('by-admin', unsponsored);
  await deliver(worker, 'by-admin');
  const paid = await acceptAction.handle(trust, { task_id: 'by-admin' });
  expect(paid.engagement).toMatchObject({ status: 'PAID', ended_by: 'administrator' });
  expect((await app.own.get(`/api/v1/receipts/${paid.receipt_id}`)).body.operator_id).toBe(
    firstStart.operatorId,
  );
  await hire('cancelled-by-admin', unsponsored);
  const { engagement } = await cancelAction.handle(trust, { task_id: 'cancelled-by-admin' });
  expect(engagement).toMatchObject({ status: 'CANCELLED', ended_by: 'administrator' });
});

test('the administrator does not spend the credits of a sponsored hirer', async () => {
  const { app, hirer, worker, deliver, read } = market;
  const { trust } = app.service;
  await expect(hire('sponsored', hirer)).rejects.toMatchObject({ code: 'forbidden' });
  const task_id = await market.hire(hirer, worker);
  await expect(cancelAction.handle(trust, { task_id })).rejects.toMatchObject({ code: 'forbidden' });
  await deliver(worker, task_id);
  await expect(acceptAction.handle(trust, { task_id })).rejects.toMatchObject({ code: 'forbidden' });
  expect((await read(task_id)).status).toBe('DELIVERED');
});

test('the administrator lists and shows every engagement', async () => {
  const { app, hirer, worker } = market;
  const { trust } = app.service;
  const task_id = await market.hire(hirer, worker);
  const all = { agent: null, status: null, limit: '1', cursor: null };
  const first = await listAction.handle(trust, all);
  expect(first.engagements).toMatchObject([{ task_id }]);
  const second = await listAction.handle(trust, { ...all, cursor: first.next_cursor });
  expect(second.engagements).toHaveLength(1);
  expect(second.engagements).not.toEqual(first.engagements);
  const held = await listAction.handle(trust, {
    ...all,
    agent: hirer.commitment,
    status: 'HELD',
    limit: '100',
  });
  expect(held.engagements.map(({ status }) => status)).toEqual(held.engagements.map(() => 'HELD'));
  expect(held.engagements[0]).toMatchObject({ task_id });
  await expect(listAction.handle(trust, { ...all, status: 'HELD' })).rejects.toMatchObject({
    code: 'validation_error',
  });
  expect((await showAction.handle(trust, { task_id })).engagement).toMatchObject({ task_id });
  await expect(showAction.handle(trust, { task_id: 'none' })).rejects.toMatchObject({ code: 'not_found' });
});
