import { afterAll, beforeAll, expect, test } from 'bun:test';
import { audited } from '../../../support/audit.ts';
import { ACP, type Market, openMarket } from '../../../support/engagements.ts';
import { accountEntries, link, sequenceProblems } from '../../../support/linked.ts';

let market: Market;
beforeAll(async () => {
  market = await openMarket({ credits: { promotional: 100_000 } });
});
afterAll(() => market.app.close());

test('a receipt that the service issues itself has a leaf for the issue and one for the finalization', async () => {
  const { app, hirer, worker, deliver } = market;
  for (const caller of [app.own, app.other]) expect((await link(caller)).status).toBe(200);
  const { length } = await accountEntries(app);
  const { body } = await app.own.post(ACP, {
    hirer_commitment: hirer.commitment,
    worker_commitment: worker.commitment,
    amount: 10,
  });
  const taskId = String(body.task_id);
  await deliver(worker, taskId);
  const accepted = await app.own.post(`${ACP}/${taskId}/accept`);
  expect(accepted.status).toBe(200);
  const entries = (await accountEntries(app, length)).filter(
    ({ receipt_id }) => receipt_id === accepted.body.receipt_id,
  );
  expect(entries.map(({ event }) => event)).toEqual(['issued', 'finalized']);
  expect(new Set(entries.map(({ agent }) => agent)).size).toBe(1);
  expect(sequenceProblems(await accountEntries(app))).toEqual([]);
  expect((await audited(app.directory)).reported).toEqual([]);
});
