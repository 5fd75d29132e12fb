import { expect, test } from 'bun:test';
import pino from 'pino';
import { noopRecorder } from '../../../src/platform/monitoring/recorder.ts';
import { schedule } from '../../../src/platform/scheduler.ts';
import { VirtualTime } from '../../support/virtual-time.ts';

function scheduled(run: () => Promise<void>) {
  const lines: string[] = [];
  const runs: [string, boolean][] = [];
  const time = new VirtualTime();
  const { stop } = schedule([{ name: 'often', everyMs: 100, run }], {
    log: pino({}, { write: (line: string) => void lines.push(line) }),
    timers: time,
    recorder: { ...noopRecorder, task: (name, isWell) => void runs.push([name, isWell]) },
  });
  /** Goes on to when a job is due, and lets what it set off settle. */
  const step = async (ms: number): Promise<void> => {
    time.advance(ms);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { lines, runs, stop, step, time };
}

test('a scheduled task runs periodically, counted from the end of the previous run, and never twice at once', async () => {
  let begun = 0;
  let end = Promise.withResolvers<void>();
  const { runs, stop, step, time } = scheduled(() => {
    begun += 1;
    return end.promise;
  });
  await step(99);
  expect(begun).toBe(0);
  await step(1);
  expect(begun).toBe(1);
  await step(1000);
  expect(begun).toBe(1);
  end.resolve();
  await step(0);
  end = Promise.withResolvers();
  await step(100);
  expect(begun).toBe(2);

  const stopping = stop();
  expect(time.waiting).toBe(0);
  end.resolve();
  await stopping;
  await step(1000);
  expect(begun).toBe(2);
  expect(runs).toEqual([
    ['often', true],
    ['often', true],
  ]);
});

test('a scheduled task that fails is logged and counted, and runs again', async () => {
  let count = 0;
  const { lines, runs, stop, step } = scheduled(async () => {
    count += 1;
    if (count === 1) throw new Error('once');
  });
  await step(100);
  await step(100);
  await stop();
  expect(runs).toEqual([
    ['often', false],
    ['often', true],
  ]);
  expect(lines.filter((line) => line.includes('"task":"often"') && line.includes('once'))).toHaveLength(1);
});

test('a scheduled task may set when its next run starts, even during a run, and not after the end', async () => {
  const at: number[] = [];
  const time = new VirtualTime(0);
  let runIn: (ms: number) => void = () => undefined;
  let isShort = true;
  const task = {
    name: 'on demand',
    everyMs: 1000,
    async run() {
      at.push(time.now());
      if (isShort) runIn(50);
      isShort = false;
    },
    onSchedule: (given: (ms: number) => void) => {
      runIn = given;
    },
  };
  const log = pino({ level: 'silent' });
  const { stop } = schedule([task], { log, timers: time, recorder: noopRecorder });
  const step = async (ms: number): Promise<void> => {
    time.advance(ms);
    await new Promise((resolve) => setImmediate(resolve));
  };
  runIn(10);
  await step(10);
  await step(50);
  await step(999);
  await step(1);
  expect(at).toEqual([10, 60, 1060]);
  await stop();
  runIn(0);
  await step(1000);
  expect([at.length, time.waiting]).toEqual([3, 0]);
});
