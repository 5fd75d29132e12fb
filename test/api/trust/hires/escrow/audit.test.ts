import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { CREDIT_CLASSES } from '../../../../../db/trust/ledger-enums.ts';
import { DAY_MS } from '../../../../../src/platform/time/units.ts';
import { audited } from '../../../../support/audit.ts';
import { creditedAgent } from '../../../../support/credits.ts';
import { ENGAGEMENTS, openMarket } from '../../../../support/engagements.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

const parent = mkdtempSync(join(tmpdir(), 'countersign-escrow-'));
afterAll(() => rmSync(parent, { recursive: true, force: true }));

test('fsck finds no problem in engagements in every state, and in the receipts of the service', async () => {
  const directory = join(parent, 'states');
  const { app, hirer, worker, hire, deliver } = await openMarket({ data: directory });
  const colleague = await creditedAgent(app);
  const tasks: string[] = [];
  for (const agent of [worker, colleague]) {
    for (let index = 0; index < 4; index++) tasks.push(await hire(hirer, agent));
    for (const task of tasks.slice(-3)) await deliver(agent, task);
    await app.own.post(`${ENGAGEMENTS}/${tasks.at(-1)}/accept`);
    await (agent === worker ? app.other : app.own).post(`${ENGAGEMENTS}/${tasks.at(-2)}/refund`);
  }
  await app.own.post(`${ENGAGEMENTS}/${tasks[0]}/cancel`);
  const { receipt_id } = (await app.own.post(`${ENGAGEMENTS}/${tasks[5]}/accept`)).body;
  // A receipt of the service can be revoked as any other.
  expect((await app.own.revoke(receipt_id)).status).toBe(200);
  await app.service.trust.log.publisher.publish();
  await app.close();
  const { outcome, reported } = await audited(directory);
  expect(reported).toEqual([]);
  expect(outcome.problems).toBe(0);
});

test('a receipt of the service counts neither for the gate nor for the reputation of its agent', async () => {
  const { app, hirer, hire, deliver } = await openMarket();
  const colleague = await creditedAgent(app);
  const task = await hire(hirer, colleague);
  await deliver(colleague, task);
  await app.own.post(`${ENGAGEMENTS}/${task}/accept`);
  const gate = await app.anyone.post('/api/v1/gate/verify', {
    operator_id: app.service.firstStart.operatorId,
    domain: 'SYSTEM_INTEGRATION',
  });
  expect(gate.body.reason).toBe('ZERO_TENANCY_REJECT');
  const counted = await app.service.trust.store.read(({ connection: { sqlite } }) =>
    Promise.resolve(sqlite.query('SELECT count(*) AS rows FROM agent_receipt').get()),
  );
  expect(counted).toEqual({ rows: 0 });
  await app.close();
});

describe('the database refuses', () => {
  test.each([
    ['to pay what is not delivered', "UPDATE escrow SET status = 'PAID'"],
    ['to change the amount', 'UPDATE escrow SET amount = amount + 1, promotional = promotional + 1'],
    ['to change the worker', 'UPDATE escrow SET worker_seq = hirer_seq'],
    ['to change the task', "UPDATE escrow SET task_id = 'another'"],
    ['to change the deadline', 'UPDATE escrow SET deadline = 1'],
    ['portions that are not the amount', 'UPDATE escrow SET promotional = 0'],
    ['to deliver without evidence', "UPDATE escrow SET status = 'DELIVERED'"],
    ['to delete it', 'DELETE FROM escrow'],
    [
      'a second task with the same id',
      `INSERT INTO escrow (task_id, purpose, hirer_seq, worker_seq, amount, promotional, paid, sandbox, input_digest, created_at,
        lock_transaction_id, status, updated_at) SELECT task_id, purpose, hirer_seq, worker_seq, amount, promotional, paid, sandbox,
        input_digest, created_at, lock_transaction_id, status, updated_at FROM escrow`,
    ],
    ['to delete the mark of a receipt of the service', 'DELETE FROM service_receipt'],
  ])('%s', async (_, sql) => {
    const { app, hirer, worker, hire, deliver } = await openMarket();
    const task = await hire(hirer, worker);
    await deliver(worker, task);
    await app.own.post(`${ENGAGEMENTS}/${task}/accept`);
    await hire(hirer, worker);
    const { store } = app.service.trust;
    const attempt = store.writeAsService(({ connection: { sqlite } }) => void sqlite.run(sql));
    expect(
      await attempt.then(
        () => 'allowed',
        () => 'refused',
      ),
    ).toBe('refused');
    await app.close();
  });
});

/** What can be done with a task. */
const MOVES = ['deliver', 'fail', 'accept', 'cancel', 'refund'] as const;

test('after any operations, the locked credits of an agent are those of its open escrow, class by class', async () => {
  const time = new VirtualTime();
  const market = await openMarket({ credits: { promotional: 60, paid: 60, sandbox: 60 } }, time);
  const { app, hire, deliver, endDue, figures } = market;
  const agents = [
    market.hirer,
    await creditedAgent(app, { credits: { promotional: 5, paid: 90 } }),
    market.worker,
  ];
  const tasks: { id: string; worker: (typeof agents)[number] }[] = [];
  const operation = fc.oneof(
    fc.record({ by: fc.nat(1), of: fc.nat(2), amount: fc.integer({ min: 1, max: 40 }), days: fc.nat(5) }),
    fc.record({ move: fc.constantFrom(...MOVES), task: fc.nat(30) }),
    fc.constant('a day'),
  );
  const run = async (done: typeof operation extends fc.Arbitrary<infer One> ? One : never): Promise<void> => {
    if (typeof done === 'string') {
      time.advance(DAY_MS);
      return endDue();
    }
    if ('by' in done) {
      const [hirer, worker] = [agents[done.by], agents[done.of]];
      if (hirer === undefined || worker === undefined) return;
      const deadline =
        done.days === 0 ? {} : { deadline: new Date(time.now() + done.days * DAY_MS).toISOString() };
      const id = await hire(hirer, worker, { amount: done.amount, ...deadline }).catch(() => null);
      if (id !== null) tasks.push({ id, worker });
      return;
    }
    const task = tasks[tasks.length - 1 - done.task];
    if (task === undefined) return;
    const path = `${ENGAGEMENTS}/${task.id}`;
    if (done.move === 'deliver') await deliver(task.worker, task.id);
    else if (done.move === 'fail') await deliver(task.worker, task.id, { outcome: 'failure' });
    else await (done.move === 'refund' ? app.other : app.own).post(`${path}/${done.move}`);
  };
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { maxLength: 25 }), async (operations) => {
      for (const done of operations) await run(done);
      for (const { agent } of agents) {
        const open = await app.service.trust.store.read(({ connection: { sqlite } }) =>
          Promise.resolve(
            sqlite
              .query<Record<string, number>, [number]>(
                `SELECT coalesce(sum(promotional), 0) AS promotional, coalesce(sum(paid), 0) AS paid, coalesce(sum(sandbox), 0) AS sandbox
                FROM escrow WHERE hirer_seq = ? AND status IN ('HELD', 'DELIVERED')`,
              )
              .get(agent.agentSeq),
          ),
        );
        const found = await figures({ agent });
        expect(CREDIT_CLASSES.map((name) => found[name].locked)).toEqual(
          CREDIT_CLASSES.map((name) => open?.[name] ?? -1),
        );
      }
    }),
    { numRuns: 40 },
  );
  // How many hires the credits suffice for is chance; a few suffice to show that something was hired.
  expect(tasks.length).toBeGreaterThan(5);
  await app.close();
});
