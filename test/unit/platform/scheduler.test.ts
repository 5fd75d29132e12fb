import { expect, test } from 'bun:test';
import pino from 'pino';
import { schedule } from '../../../src/platform/scheduler.ts';

test('runs again and again, never beside itself; one that fails is logged and runs again', async () => {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  let running = 0;
  let runs = 0;
  const enough = Promise.withResolvers<void>();
  const stop = schedule(
    [
      {
        name: 'often',
        everyMs: 1,
        async run() {
          running += 1;
          expect(running).toBe(1);
          await Bun.sleep(2);
          running -= 1;
          runs += 1;
          if (runs === 3) enough.resolve();
          if (runs === 2) throw new Error('once');
        },
      },
    ],
    log,
  );
  await enough.promise;
  await stop();
  expect(running).toBe(0);
  const after = runs;
  await Bun.sleep(5);
  expect(runs).toBe(after);
  expect(lines.filter((line) => line.includes('"job":"often"') && line.includes('once'))).toHaveLength(1);
});
