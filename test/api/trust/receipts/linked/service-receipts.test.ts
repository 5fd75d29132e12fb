import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { audited } from '../../../../support/audit.ts';
import { creditedAgent } from '../../../../support/credits.ts';
import { ACP, type Market, openMarket } from '../../../../support/engagements.ts';
import { accountEntries, link, sequenceProblems } from '../../../../support/linked.ts';
import { ingested, telemetryOf } from '../../../../support/telemetry.ts';

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

test('also of telemetry, alone and beside others, and of a withdrawal', async () => {
  const { app } = market;
  await link(app.own);
  const { length } = await accountEntries(app);
  const measured = [0, 1, 2, 3].map((hour) => telemetryOf(hour));
  const taken = await Promise.all(measured.map((telemetry) => ingested(app.own, telemetry)));
  const { commitment } = await creditedAgent(app, { credits: { paid: 100 } });
  const withdrawn = await app.own.post('/api/v1/agent-pay/withdraw', {
    subject_commitment: commitment,
    amount: 40,
    reference: 'a withdrawal of a linked account',
  });
  expect(withdrawn.status).toBe(201);
  const ids = [...taken.map(({ receipt }) => Object(receipt).receipt_id), withdrawn.body.receipt_id];
  const entries = await accountEntries(app, length);
  for (const id of ids) {
    expect(entries.filter(({ receipt_id }) => receipt_id === id).map(({ event }) => event)).toEqual([
      'issued',
      'finalized',
    ]);
  }
  expect(entries).toHaveLength(2 * ids.length);
  expect(sequenceProblems(await accountEntries(app))).toEqual([]);
  expect((await audited(app.directory)).reported).toEqual([]);
});

/** What inserts a signed version of a receipt. */
const INSERTS = /await (insertReceipt|insertServiceReceipt|insertVersion|signVersionIn|resignIn)\(\s*tx/;

test('every file that stores a signed version of a receipt records the act', () => {
  const root = join(import.meta.dir, '../../../../../src/trust/receipts');
  const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');
  const storing = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && INSERTS.test(textOf(path)))
    .toSorted();
  expect(storing.filter((path) => !textOf(path).includes('recordActIn(tx'))).toEqual([
    // The log of accounts has its own copy of what this repeats.
    'recovery.ts',
    // The callers of these two record the act.
    'resign.ts',
    'sign.ts',
  ]);
  expect(storing).toHaveLength(7);
});
