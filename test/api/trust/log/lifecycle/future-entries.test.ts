import { afterEach, beforeEach, expect, test } from 'bun:test';
import { join } from 'node:path';
import pino from 'pino';
import { refuseFutureEntries } from '../../../../../src/trust/log/lifecycle/future-entries.ts';
import { restartLogs } from '../../../../../src/trust/log/lifecycle/restart.ts';
import type { LogCommandContext } from '../../../../../src/trust/service/context.ts';
import { trustModules } from '../../../../../src/trust/service/modules.ts';
import { withServiceStopped } from '../../../../../src/trust/service/open-context.ts';
import { finalized, latest } from '../../../../support/log.ts';
import { scratch } from '../../../../support/process.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

const HOUR = 3_600_000;

let directory: ReturnType<typeof scratch>;
let data: string;
/** When the clock was right. */
let start: number;

beforeEach(() => {
  directory = scratch();
  data = join(directory.path, 'data');
  start = Date.now() - 100 * HOUR;
});
afterEach(() => directory.dispose());

/** Serves with a clock that stands at this many hours after the start. */
async function served<T>(hours: number, act: (app: TrustApp) => Promise<T>): Promise<T> {
  const app = await openTrustApp({}, new VirtualTime(start + hours * HOUR), data);
  try {
    const result = await act(app);
    await app.service.trust.log.publisher.publish();
    return result;
  } finally {
    await app.close();
  }
}

/** Runs a command on the stopped service at this many hours after the start. */
function stopped<T>(hours: number, act: (context: LogCommandContext) => Promise<T>): Promise<T> {
  const clock = { now: () => start + hours * HOUR };
  return withServiceStopped(data, new Map(), pino({ level: 'silent' }), trustModules, (context) =>
    act({ ...context, clock }),
  );
}

/** Starts the service ahead of time on a directory that has a log with right dates. */
async function aheadBy(hours: number, act: (app: TrustApp) => Promise<unknown>): Promise<void> {
  await served(0, async () => undefined);
  await served(hours, act);
}

test('a log with entries dated in the future is not restarted before that time', async () => {
  await aheadBy(2, (app) => finalized(app.own, { expiry: '2099-01-01T00:00:00Z' }));
  const date = new Date(start + 2 * HOUR).toISOString();
  await expect(stopped(0, refuseFutureEntries)).rejects.toThrow(
    `the newest entry of the log has the date ${date}`,
  );
  await expect(stopped(1.9, refuseFutureEntries)).rejects.toThrow('proofs would be misdated');
  await stopped(2, refuseFutureEntries);
});

test('a log of which only checkpoints are dated in the future is restarted, and has the right dates', async () => {
  await aheadBy(2, async () => undefined);
  await stopped(0, refuseFutureEntries);
  await stopped(0, (context) => restartLogs(context, data));
  await served(0.1, async (app) => {
    expect((await latest(app.anyone)).body.issued_at).toBe(new Date(start + 0.1 * HOUR).toISOString());
    expect((await app.own.issue({ expiry: '2099-01-01T00:00:00Z' })).status).toBe(201);
  });
});

test('a log that was restarted all the same dates new checkpoints and entries by the clock', async () => {
  await aheadBy(2, (app) => finalized(app.own, { expiry: '2099-01-01T00:00:00Z' }));
  await stopped(0, (context) => restartLogs(context, data));
  await served(0.1, async (app) => {
    const { content_hash: _, ...receipt } = await finalized(app.own, { expiry: '2099-01-01T00:00:00Z' });
    expect(receipt.issued_at).toBe(new Date(start + 0.1 * HOUR).toISOString());
    await app.service.trust.log.publisher.publish();
    expect((await latest(app.anyone)).body.issued_at).toBe(receipt.issued_at);
  });
});
