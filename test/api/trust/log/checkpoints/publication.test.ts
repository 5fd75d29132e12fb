import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { noopRecorder } from '../../../../../src/platform/monitoring/recorder.ts';
import { schedule } from '../../../../../src/platform/scheduler.ts';
import { systemTimers } from '../../../../../src/platform/time/clock.ts';
import { HIGH_WATER_FILE } from '../../../../../src/trust/log/high-water.ts';
import { link } from '../../../../support/linked.ts';
import { finalized, latest } from '../../../../support/log.ts';
import { scratch } from '../../../../support/process.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { eventually, VirtualTime } from '../../../../support/virtual-time.ts';

let directory: ReturnType<typeof scratch>;
let time: VirtualTime;
let app: TrustApp;
/** The delays after which the publisher planned rounds, in milliseconds. */
let planned: number[];

beforeEach(async () => {
  directory = scratch();
  time = new VirtualTime();
  app = await openTrustApp({}, time, join(directory.path, 'data'));
  planned = [];
  app.service.trust.log.publisher.onSchedule((ms) => planned.push(ms));
});
afterEach(async () => {
  await app.close();
  directory.dispose();
});

const round = () => app.service.trust.log.publisher.publishInTime();
/** Waits until the planned round is due. */
const due = () => Bun.sleep(Number(planned.at(-1)) + 1);
const covered = async () => (await latest(app.anyone)).body.tree_size;

test('only the first leaf that no checkpoint covers plans a round, at most 200 ms after the last', async () => {
  await finalized(app.own);
  await finalized(app.own);
  expect(planned).toEqual([expect.any(Number)]);
  expect(planned[0]).toBeLessThanOrEqual(200);
  await due();
  await round();
  expect([await covered(), planned.length]).toEqual([2, 1]);
  await finalized(app.own);
  expect(planned.length).toBe(2);
});

test('a leaf is in a checkpoint before the task that looks at the time runs again', async () => {
  const tasks = (await app.service.background()).tasks.filter(({ name }) => name === 'publish checkpoints');
  const { stop } = schedule(tasks, {
    log: pino({ level: 'silent' }),
    timers: systemTimers,
    recorder: noopRecorder,
  });
  await round();
  const since = performance.now();
  await finalized(app.own);
  await eventually(async () => (await covered()) === 1);
  expect(performance.now() - since).toBeLessThan(Number(tasks[0]?.everyMs));
  await stop();
});

test('without growth no round is planned', async () => {
  await round();
  await round();
  expect(planned).toEqual([]);
});

test('a round that fails is repeated after a pause, and growth does not shorten it', async () => {
  const inTheWay = join(app.directory, `${HIGH_WATER_FILE}.new`);
  await finalized(app.own);
  await due();
  mkdirSync(inTheWay);
  planned = [];
  await expect(round()).rejects.toThrow();
  expect(planned).toEqual([1000]);
  await finalized(app.own);
  const { body } = await app.anyone.get('/api/health');
  expect(body.problems).toContain('The last checkpoints could not be published; see the log.');
  expect([await covered(), planned]).toEqual([0, [1000]]);
  rmdirSync(inTheWay);
  await due();
  await round();
  expect([await covered(), planned]).toEqual([2, [1000]]);
});

test('while the clock is wrong a round is planned once a second, and none is published', async () => {
  await finalized(app.own);
  await due();
  planned = [];
  time.jump(86_400_000);
  await round();
  await round();
  expect([await covered(), planned]).toEqual([0, [1000, 1000]]);
  time.jump(-86_400_000);
  await round();
  expect(await covered()).toBe(1);
});

test('a log other than that of receipts gets a checkpoint at once, and the next a second later', async () => {
  const sizes = async () => {
    const names = ['receipts', 'revocations'];
    return Promise.all(names.map(async (name) => (await latest(app.anyone, name)).body.tree_size));
  };
  const revoke = async () => app.own.revoke((await finalized(app.own)).receipt_id);
  await revoke();
  // The start published a checkpoint of each.
  await Bun.sleep(1000);
  await round();
  expect(await sizes()).toEqual([1, 1]);
  await revoke();
  await Bun.sleep(200);
  planned = [];
  await round();
  expect(await sizes()).toEqual([2, 1]);
  expect(planned).toEqual([expect.any(Number)]);
  expect(planned[0]).toBeGreaterThan(200);
  expect(planned[0]).toBeLessThanOrEqual(800);
  await due();
  await round();
  expect(await sizes()).toEqual([2, 2]);
});

test('the leaf of an act is not published before its entry, whose log just had a checkpoint', async () => {
  const sizes = async () => {
    const names = ['accounts', 'receipts'];
    return Promise.all(names.map(async (name) => (await latest(app.anyone, name)).body.tree_size));
  };
  await Bun.sleep(1000);
  await finalized(app.own);
  await round();
  expect(await sizes()).toEqual([0, 1]);
  await link(app.own);
  await finalized(app.own);
  await round();
  expect(await sizes()).toEqual([3, 2]);
});
