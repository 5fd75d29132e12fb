import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { createReadStream, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { LOG_NAMES } from '../../../../src/proof/log/log-names.ts';
import { acceptClock } from '../../../../src/trust/log/clock/accept.ts';
import { HIGH_WATER_FILE } from '../../../../src/trust/log/high-water.ts';
import { restartLogs } from '../../../../src/trust/log/lifecycle/restart.ts';
import { trustModules } from '../../../../src/trust/service/modules.ts';
import { withServiceStopped } from '../../../../src/trust/service/open-context.ts';
import { audited } from '../../../support/audit.ts';
import { finalized, latest } from '../../../support/log.ts';
import { openStaffingApp } from '../../../support/staffing-app.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';
import { eventually, VirtualTime } from '../../../support/virtual-time.ts';
import { openWitnessApp, SmallLog } from '../../../support/witness.ts';

const TEN_YEARS = 10 * 365 * 86_400_000;
let root: string;
let data: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'countersign-health-'));
  data = join(root, 'data');
});
afterEach(() => rmSync(root, { recursive: true }));

const healthIn = async ({ anyone }: Pick<TrustApp, 'anyone'>) => {
  const { status, body } = await anyone.get('/api/health');
  return { status, problems: Object(body.problems) };
};
const ask = (app: { fetch(request: Request): Promise<Response> }, path = '/api/health') =>
  app.fetch(new Request(`http://localhost${path}`));

test('health is served from memory: immediately while the database hangs, and degraded when that lasts', async () => {
  const app = await openTrustApp();
  const { fetch } = app.service.app('/');
  const release = Promise.withResolvers<void>();
  // As many snapshots as there are readers, none of which ends.
  const { store, health } = app.service.trust;
  const held = Array.from({ length: 4 }, () => store.read(() => release.promise));
  const since = performance.now();
  for (let count = 0; count < 100; count++) expect((await ask({ fetch })).status).toBe(200);
  expect(performance.now() - since).toBeLessThan(1000);
  void health.refresh();
  await eventually(async () => (await ask({ fetch })).status === 503);
  expect(performance.now() - since).toBeLessThan(4000);
  expect(await (await ask({ fetch })).json()).toMatchObject({
    status: 'degraded',
    problems: ['The server last checked itself 3 seconds ago: the database or the process hangs.'],
  });
  release.resolve();
  await Promise.all(held);
  await health.refresh();
  expect((await ask({ fetch })).status).toBe(200);
  await app.close();
});

test('the tasks that keep health fresh run once a second, even in a server that only reads', async () => {
  await (await openTrustApp({}, null, data)).close();
  const reading = await openTrustApp({ read_only: 'on' }, null, data);
  const staffing = await openStaffingApp();
  const witness = await openWitnessApp([new SmallLog('a.example')]);
  for (const { service } of [reading, staffing, witness]) {
    const tasks = (await service.background()).tasks.filter(({ name }) =>
      /^check (?:health|the data directory)$/.test(name),
    );
    expect(tasks).toHaveLength(2);
    for (const { everyMs, run } of tasks) {
      expect(everyMs).toBeLessThanOrEqual(1000);
      await run();
    }
  }
  for (const app of [reading, staffing, witness]) await app.close();
});

describe('a file that is lost while the server runs', () => {
  test.each([
    ['trust.db', 'The file trust.db was removed'],
    ['keys', 'The file keys was removed'],
  ])('%s: health says so, writes are 503 storage_unavailable, reads are served', async (name, said) => {
    const app = await openTrustApp({}, null, data);
    const receipt = await finalized(app.own);
    renameSync(join(data, name), join(root, 'away'));
    expect(await healthIn(app)).toEqual({ status: 503, problems: [expect.stringContaining(said)] });
    const refused = await app.own.issue();
    expect([refused.status, refused.body.reason_code]).toEqual([503, 'storage_unavailable']);
    expect((await app.own.get(`/api/v1/receipts/${receipt.receipt_id}`)).status).toBe(200);
    expect(app.logged()).toContain(said);
    renameSync(join(root, 'away'), join(data, name));
    expect((await app.own.issue()).status).toBe(503);
    await app.close();
    const again = await openTrustApp({}, null, data);
    expect((await again.own.issue()).status).toBe(201);
    await again.close();
  });

  test('is reported by the health of the staffing service and of a witness too', async () => {
    const staffing = await openStaffingApp();
    const witness = await openWitnessApp([new SmallLog('b.example')]);
    for (const [directory, database] of [
      [staffing.directory, 'staffing.db'],
      [witness.directory, 'witness.db'],
    ] as const) {
      renameSync(join(directory, database), join(directory, 'away'));
    }
    expect((await ask(staffing)).status).toBe(503);
    expect((await staffing.own.submit()).status).toBe(503);
    const health = await ask(witness, '/health');
    expect([health.status, await health.text()]).toEqual([
      503,
      'The file witness.db was removed while the server ran; nothing more is written until the next start.\n',
    ]);
    expect((await witness.add(new SmallLog('b.example').submission(0, 1))).status).not.toBe(200);
    for (const app of [staffing, witness]) await app.close();
  });

  test('is searched where it is the registry of the staffing service, and degrades health', async () => {
    const app = await openStaffingApp();
    rmSync(join(app.directory, 'registry'), { recursive: true });
    expect((await ask(app)).status).toBe(503);
    expect((await app.own.get('/search?specialty=Nurse')).status).not.toBe(503);
    expect((await app.own.submit()).status).toBe(201);
    await app.close();
  });
});

test('a checkpoint that is late shows within three seconds, even while the round that would sign it hangs', async () => {
  const app = await openTrustApp({}, null, data);
  await finalized(app.own);
  // Nothing reads the other end, so the next mark is never written.
  const mark = join(data, `${HIGH_WATER_FILE}.new`);
  expect(Bun.spawnSync(['mkfifo', mark]).exitCode).toBe(0);
  const since = performance.now();
  const round = app.service.trust.log.publisher.publish().catch(() => undefined);
  const waiting = 'Leaves of receipts wait for their checkpoint.';
  await eventually(async () => (await healthIn(app)).problems.includes(waiting));
  // It is late a second after the leaf.
  expect(performance.now() - since).toBeLessThan(4000);
  expect((await healthIn(app)).status).toBe(503);
  createReadStream(mark).resume();
  await round;
  rmSync(mark, { force: true });
  await app.service.trust.log.publisher.publish();
  expect(await healthIn(app)).toEqual({ status: 200, problems: [] });
  await app.close();
});

describe('the clock', () => {
  test('that is ten years ahead for a while stops all signing, health reports it, and later dates are correct', async () => {
    const time = new VirtualTime();
    const app = await openTrustApp({}, time);
    const { publisher } = app.service.trust.log;
    await finalized(app.own);
    time.jump(TEN_YEARS);
    await publisher.publishInTime();
    await publisher.publish();
    expect((await latest(app.anyone)).body.tree_size).toBe(0);
    const reported = await healthIn(app);
    expect([reported.status, reported.problems[0]]).toEqual([
      503,
      expect.stringMatching(
        /^The clock was set ahead by 315360000 seconds: no checkpoint is signed, and nothing with a date is issued, until/,
      ),
    ]);
    time.advance(5000);
    time.jump(-TEN_YEARS);
    await publisher.publish();
    const { body } = await latest(app.anyone);
    expect([body.tree_size, body.issued_at]).toEqual([1, new Date(time.now()).toISOString()]);
    expect(await healthIn(app)).toEqual({ status: 200, problems: [] });
    await app.close();
  });

  test('that was set for good is believed once it is accepted, however long that takes', async () => {
    const time = new VirtualTime();
    const app = await openTrustApp({}, time);
    time.jump(86_400_000);
    await app.service.trust.log.publisher.publish();
    time.advance(3_600_000);
    await app.service.trust.log.publisher.publish();
    expect((await healthIn(app)).status).toBe(503);
    app.service.trust.clockWatch.accept();
    await app.service.trust.log.publisher.publish();
    expect((await latest(app.anyone)).body.issued_at).toBe(new Date(time.now()).toISOString());
    expect((await healthIn(app)).status).toBe(200);
    await app.close();
  });

  test('that was ahead when a checkpoint was signed: health and fsck report it, and log restart repairs it', async () => {
    const app = await openTrustApp({}, new VirtualTime(Date.now() + TEN_YEARS / 10), data);
    await finalized(app.own);
    await app.service.trust.log.publisher.publish();
    await app.close();
    const problem = /newest checkpoint.* has the date 20.*, which is in the future.*countersign log restart/;
    const again = await openTrustApp({}, null, data);
    // An administrator must not close a sound log because the clock is behind.
    expect(await healthIn(again)).toEqual({
      status: 503,
      problems: [expect.stringContaining('behind the newest data')],
    });
    await acceptClock(again.service.trust);
    const reported = await healthIn(again);
    expect([reported.status, reported.problems.length]).toEqual([200, LOG_NAMES.length]);
    expect(reported.problems[0]).toMatch(problem);
    await again.close();
    const before = await problems();
    expect(before.length).toBe(LOG_NAMES.length);
    expect(before[0]).toMatch(problem);
    const quiet = pino({ level: 'silent' });
    await withServiceStopped(data, new Map(), quiet, trustModules, restartLogs);
    const restarted = await openTrustApp({}, null, data);
    const { body } = await latest(restarted.anyone);
    expect([body.tree_size, Date.parse(String(body.issued_at)) <= Date.now()]).toEqual([1, true]);
    expect(await healthIn(restarted)).toEqual({ status: 200, problems: [] });
    await restarted.close();
    expect((await problems()).filter((sentence) => problem.test(sentence))).toEqual([]);
  });
});

/** Returns the problems that fsck finds in the directory. */
async function problems(): Promise<string[]> {
  return (await audited(data)).reported.map(({ sentence }) => sentence);
}

test('the first application of a start returns the same health as the complete one', async () => {
  const app = await openTrustApp({ rate_limits: 'on' });
  const { service } = app;
  const [first, whole] = [service.app('/'), service.app('/')];
  await whole.load();
  const asked = async ({ fetch }: typeof first, [path, init]: readonly [string, RequestInit]) => {
    const response = await fetch(new Request(`http://localhost${path}`, init), '192.0.2.1');
    const { 'x-request-id': id, ...headers } = Object.fromEntries(response.headers);
    const body = (await response.text()).replace(id ?? '', 'ID');
    return { status: response.status, headers, body };
  };
  for (const request of [
    ['/api/health', {}],
    ['/api/health?one=1', {}],
    ['/api/health?one=1&one=2', {}],
    ['/api/health', { method: 'HEAD' }],
    ['/api/health', { method: 'OPTIONS' }],
    ['/api/health', { method: 'POST', body: '{}' }],
    ['/api/health', { headers: { 'x-request-id': 'req_mine', authorization: 'Bearer none' } }],
  ] as const) {
    expect(await asked(first, request)).toEqual(await asked(whole, request));
  }
  await app.close();
});
