import { afterAll, beforeAll, expect, test } from 'bun:test';
import { creditedAgent } from '../../../../support/credits.ts';
import { type Agent, type Market, openMarket } from '../../../../support/engagements.ts';
import { localAdministrator } from '../../../../support/local-administrator.ts';

let market: Market;
let unsponsored: Agent;
let call: Awaited<ReturnType<typeof localAdministrator>>;

beforeAll(async () => {
  market = await openMarket();
  unsponsored = await creditedAgent(market.app, { sponsor: null, credits: { promotional: 100 } });
  call = await localAdministrator(market.app);
});
afterAll(() => market.app.close());

const hire = (task_id: string, hirer: Agent) =>
  call('createEngagement', {
    task_id,
    hirer_commitment: hirer.commitment,
    worker_commitment: market.worker.commitment,
    amount: 5,
  });
const accept = (taskId: string) => call('acceptEngagement', { taskId });
const cancel = (taskId: string) => call('cancelEngagement', { taskId });
const show = (taskId: string) => call('getEngagement', { taskId });

test('the local administrator hires, accepts and cancels for a hirer without a sponsor, and the receipt names the first operator', async () => {
  const { app, worker, deliver } = market;
  await hire('by-admin', unsponsored);
  await deliver(worker, 'by-admin');
  const paid = await accept('by-admin');
  expect(paid).toMatchObject({ engagement: { status: 'PAID', ended_by: 'administrator' } });
  const receiptId = String(Object(paid).receipt_id);
  expect((await app.own.get(`/api/v1/receipts/${receiptId}`)).body.operator_id).toBe(
    app.service.firstStart.operatorId,
  );
  await hire('cancelled-by-admin', unsponsored);
  expect(await cancel('cancelled-by-admin')).toMatchObject({
    engagement: { status: 'CANCELLED', ended_by: 'administrator' },
  });
});

test('the local administrator does not spend the credits of a sponsored hirer', async () => {
  const { hirer, worker, deliver, read } = market;
  const refusal = "Only the agent's sponsor";
  await expect(hire('sponsored', hirer)).rejects.toThrow(refusal);
  const taskId = await market.hire(hirer, worker);
  await expect(cancel(taskId)).rejects.toThrow(refusal);
  await deliver(worker, taskId);
  await expect(accept(taskId)).rejects.toThrow(refusal);
  expect((await read(taskId)).status).toBe('DELIVERED');
});

test('the local administrator has no pool that pays', async () => {
  const commitment = unsponsored.commitment;
  await expect(call('issueMeteredCredential', { commitment })).rejects.toThrow(
    'The local administrator has no operator. Name the operator that acts, or the agent that pays.',
  );
});

test('the local administrator lists and shows every engagement', async () => {
  const { hirer, worker } = market;
  const task_id = await market.hire(hirer, worker);
  const first = Object(await call('listAllEngagements', { limit: '1' }));
  expect(first.engagements).toMatchObject([{ task_id }]);
  const second = Object(await call('listAllEngagements', { limit: '1', cursor: first.next_cursor }));
  expect(second.engagements).toHaveLength(1);
  expect(second.engagements).not.toEqual(first.engagements);
  const held = await call('listEngagements', { subject_commitment: hirer.commitment, status: 'HELD' });
  expect(held).toMatchObject({ engagements: [{ task_id, status: 'HELD' }] });
  expect(await show(task_id)).toMatchObject({ engagement: { task_id } });
  await expect(show('none')).rejects.toThrow('task');
});

test('a listener has no local operation, for an admin key neither', async () => {
  const { app } = market;
  for (const client of [app.own, app.anyone]) {
    expect((await client.get('/local/engagements')).body).toMatchObject({ reason_code: 'not_found' });
  }
  const document = JSON.stringify((await app.anyone.get('/openapi.json')).body);
  expect(document).not.toContain('/local/');
});

test('a wrong value is refused with its field, as wrong usage', async () => {
  const refused = call('listEngagements', { subject_commitment: 'none' });
  await expect(refused).rejects.toMatchObject({ exitCode: 2 });
  await expect(refused).rejects.toThrow('subject_commitment must');
});

test.each(['', '.', '..'])(
  'a parameter "%s", which would lead to another path, is refused',
  async (taskId) => {
    await expect(show(taskId)).rejects.toMatchObject({
      exitCode: 2,
      message: `taskId must not be "${taskId}"`,
    });
  },
);

test('a call of an unknown operation fails', async () => {
  await expect(call('dropEverything')).rejects.toThrow('has no operation dropEverything');
});
