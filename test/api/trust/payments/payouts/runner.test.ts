import { expect, test } from 'bun:test';
import { setAccountStatus } from '../../../../../src/trust/pages/dashboard/set-account-status.ts';
import { SubmissionProblem } from '../../../../../src/trust/payments/payouts/evm/errors.ts';
import { submitPayoutIn } from '../../../../../src/trust/payments/payouts/queue.ts';
import { type PayoutRail, RailUnavailable } from '../../../../../src/trust/payments/payouts/rail.ts';
import { openRail } from '../../../../../src/trust/payments/payouts/rails.ts';
import { PayoutRunner } from '../../../../../src/trust/payments/payouts/runner.ts';
import { setHeld } from '../../../../../src/trust/payments/payouts/store.ts';
import { creditedAgent } from '../../../../support/credits.ts';
import { payoutOf, queuePayout } from '../../../../support/payouts.ts';
import { openTrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

/** A rail whose rounds do what a list says: true or false for more work, or an error. */
function scripted(script: (boolean | Error)[]): PayoutRail {
  return {
    name: 'evm',
    async work() {
      const next = script.shift() ?? false;
      if (next instanceof Error) throw next;
      return next;
    },
    mayFail: async () => false,
  };
}

/** Runs rounds. @returns when each next one was planned, in milliseconds; null for the usual period */
async function rounds(runner: PayoutRunner, count: number) {
  const planned: (number | null)[] = [];
  let last: number | null = null;
  runner.task.onSchedule?.((ms) => {
    last = ms;
  });
  for (let n = 0; n < count; n++) {
    last = null;
    await runner.round().catch(() => undefined);
    planned.push(last);
  }
  return planned;
}

test('a rail with more work runs again at once, one that fails waits longer each time', async () => {
  const down = new RailUnavailable('rpc', 'no response');
  const script = [true, false, down, down, new Error('bug'), ...Array(5).fill(down), true, down];
  const runner = new PayoutRunner(async () => scripted(script));
  expect(await rounds(runner, 2)).toEqual([0, null]);
  expect(runner.failure).toBeNull();
  expect(await rounds(runner, 2)).toEqual([5000, 10_000]);
  expect(runner.failure).toEqual({ reason: 'rpc', rounds: 2 });
  expect(await rounds(runner, 6)).toEqual([20_000, 40_000, 80_000, 160_000, 300_000, 300_000]);
  expect(await rounds(runner, 1)).toEqual([0]);
  expect(runner.failure).toBeNull();
  expect(await rounds(runner, 1)).toEqual([5000]);
});

test('what was submitted is followed in the usual period while only submissions fail, which wait longer each time', async () => {
  let now = 0;
  const asked: string[] = [];
  const script: (boolean | Error)[] = [];
  const rail: PayoutRail = {
    ...scripted(script),
    async work(what = 'all') {
      asked.push(what);
      return scripted(script).work();
    },
  };
  const runner = new PayoutRunner(
    async () => rail,
    () => now,
  );
  const noFunds = new SubmissionProblem('funds', 'no tokens');
  script.push(noFunds, false, noFunds, false, new RailUnavailable('rpc', 'no response'), false);
  expect(await rounds(runner, 2)).toEqual([null, null]);
  expect(runner.failure).toEqual({ reason: 'funds', rounds: 1 });
  now = 5000;
  expect(await rounds(runner, 1)).toEqual([null]);
  now = 14_999;
  expect(await rounds(runner, 2)).toEqual([null, 20_000]);
  expect(runner.failure).toEqual({ reason: 'rpc', rounds: 3 });
  now = 35_000;
  expect(await rounds(runner, 1)).toEqual([null]);
  expect(runner.failure).toBeNull();
  expect(asked).toEqual(['all', 'follow', 'all', 'follow', 'follow', 'all']);
});

test('a rail with too little for one payout soon works again for the others', async () => {
  const short = new RailUnavailable('funds', 'too few tokens');
  const runner = new PayoutRunner(async () => scripted(Array(5).fill(short)));
  expect(await rounds(runner, 5)).toEqual([5000, 10_000, 20_000, 30_000, 30_000]);
});

test('a rail that cannot be opened is opened again', async () => {
  let opened = 0;
  const runner = new PayoutRunner(async () => {
    opened += 1;
    if (opened === 1) throw new RailUnavailable('not_configured', 'no chain');
    return scripted([]);
  });
  await expect(runner.round()).rejects.toThrow('no chain');
  expect(runner.failure).toEqual({ reason: 'not_configured', rounds: 1 });
  await runner.round();
  await runner.round();
  expect([opened, runner.failure]).toEqual([2, null]);
});

test('an error that no rail expects counts as error', async () => {
  const runner = new PayoutRunner(async () => scripted([new TypeError('x')]));
  await expect(runner.round()).rejects.toThrow('x');
  expect(runner.failure?.reason).toBe('error');
});

test('the manual rail has no scheduled task, and metrics say what waits for whom', async () => {
  const time = new VirtualTime();
  const app = await openTrustApp({}, time);
  const { trust } = app.service;
  const agent = await creditedAgent(app, { sponsor: app.otherId, credits: { paid: 1000 } });
  const { tasks, metrics } = await app.service.background();
  expect(tasks.map(({ name }) => name)).not.toContain('pay withdrawals');
  expect((await openRail('manual', trust)).name).toBe('manual');
  expect(await (await openRail('manual', trust)).work()).toBe(false);
  await expect(openRail('evm', trust)).rejects.toThrow('The rail evm is not configured');
  const read = async (name: string) => {
    const found = await metrics.find((metric) => metric.name === name)?.read();
    return (found ?? []).map(({ labels, value }) => [...Object.values(labels), value].join(' ')).sort();
  };
  expect(await read('countersign_payouts_open')).toEqual([]);
  const ids = [await queuePayout(app, agent), await queuePayout(app, agent), await queuePayout(app, agent)];
  const seqs = await Promise.all(ids.map(async (id) => (await payoutOf(app, id)).payout.payoutSeq));
  await trust.store.writeAsService(async (tx) => {
    await submitPayoutIn(tx, trust, seqs[0] ?? 0, 'evm');
    await setHeld(tx, { payoutSeq: seqs[1] ?? 0, held: 'restored', updatedAt: time.now() });
  });
  time.advance(90_000);
  expect(await read('countersign_payouts_open')).toEqual([
    'queued manual administrator 2',
    'submitted evm rail 1',
  ]);
  await setAccountStatus(trust, app.otherId, 'SUSPENDED');
  expect(await read('countersign_payouts_open')).toEqual([
    'queued manual active_operator 1',
    'queued manual administrator 1',
    'submitted evm rail 1',
  ]);
  expect(await read('countersign_payouts_oldest_seconds')).toEqual([
    'queued manual active_operator 90',
    'queued manual administrator 90',
    'submitted evm rail 90',
  ]);
  expect(await read('countersign_payouts_failed_rounds')).toEqual(['manual none 0']);
  await app.close();
});

test('the rail evm needs a chain', async () => {
  await expect(openTrustApp({ 'payouts.rail': 'evm' })).rejects.toThrow(
    'payouts.rail is evm, but no chain is configured',
  );
});
