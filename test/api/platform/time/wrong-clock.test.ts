import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { activateDueKeys } from '../../../../src/trust/log/keys/activate-due.ts';
import { rotate } from '../../../../src/trust/log/keys/rotate.ts';
import { enrolledAgent } from '../../../support/agent.ts';
import { issueBody } from '../../../support/client.ts';
import { finalized } from '../../../support/log.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';
import { VirtualTime } from '../../../support/virtual-time.ts';

const HOUR = 3_600_000;
const YEAR = 365 * 86_400_000;
let app: TrustApp;
let time: VirtualTime;

beforeEach(async () => {
  time = new VirtualTime();
  app = await openTrustApp({}, time);
});
afterEach(() => app.close());

describe.each([10 * YEAR, -10 * YEAR])('while the clock is wrong by %d ms', (jump) => {
  test('no receipt status and no agent statement is signed', async () => {
    const { receipt_id } = await finalized(app.own);
    const { commitment } = await enrolledAgent(app);
    const paths = [
      `/api/v1/receipts/${receipt_id}/status`,
      `/api/v1/badge/${commitment}/attestation?format=json`,
    ];
    for (const path of paths) expect([path, (await app.anyone.get(path)).status]).toEqual([path, 200]);
    time.jump(jump);
    for (const path of paths) {
      const { status, body, headers } = await app.anyone.get(path);
      expect([path, status, body.reason_code, headers.get('retry-after')]).toEqual([
        path,
        503,
        'clock_wrong',
        '60',
      ]);
      expect(body.error).toMatch(/^The server's clock was changed by more than 60 seconds, /);
      expect(body).not.toHaveProperty('signature');
    }
    time.jump(-jump);
    for (const path of paths) expect([path, (await app.anyone.get(path)).status]).toEqual([path, 200]);
  });

  test('health reports the clock, and does not advise to restart the log', async () => {
    time.jump(jump);
    await app.service.trust.log.publisher.publish();
    const { status, body } = await app.anyone.get('/api/health');
    const problems = String(body.problems);
    expect([status, problems]).toEqual([503, expect.stringContaining('The clock was set')]);
    expect(problems).not.toContain('log restart');
  });

  test('no signing key is activated, and none is planned', async () => {
    const { signer } = app.service.trust;
    const { kid } = signer.activeKey('receipts');
    const [next] = await rotate(app.service.trust, 'receipts');
    time.jump(jump);
    await activateDueKeys(app.service.trust);
    await expect(rotate(app.service.trust, 'credentials')).rejects.toThrow(
      /clock was changed by more than 60 s/,
    );
    expect(signer.activeKey('receipts').kid).toBe(kid);
    time.jump(-jump);
    await activateDueKeys(app.service.trust);
    expect(signer.activeKey('receipts').kid).toBe(kid);
    time.advance(2 * HOUR);
    await activateDueKeys(app.service.trust);
    expect(signer.activeKey('receipts').kid).toBe(next ?? '');
  });
});

test('while the clock is ahead no response, session or challenge expires, and all are valid once it is right', async () => {
  const once = async () => {
    const { status, headers } = await app.own.post('/api/v1/receipts', issueBody(), {
      'idempotency-key': 'once',
    });
    return [status, headers.get('idempotency-replayed')];
  };
  expect(await once()).toEqual([201, null]);
  await app.own.post('/api/v1/operator/session', {});
  const { store } = app.service.trust;
  const kept = () =>
    store.read(({ connection: { sqlite } }) =>
      ['idempotency', 'session'].map((table) => sqlite.query(`SELECT count(*) AS n FROM ${table}`).get()),
    );
  const before = await kept();
  expect(before).toEqual([{ n: 1 }, { n: 1 }]);
  const forget = (await app.service.background()).tasks.filter(({ name }) => name.startsWith('forget old'));
  expect(forget.length).toBeGreaterThanOrEqual(3);
  time.jump(YEAR);
  for (const { run } of forget) await run();
  expect(await kept()).toEqual(before);
  // A request that comes again in that time is not done a second time.
  expect(await once()).toEqual([201, 'true']);
  time.jump(-YEAR);
  expect(await once()).toEqual([201, 'true']);
  time.advance(YEAR);
  for (const { run } of forget) await run();
  expect(await kept()).toEqual([{ n: 0 }, { n: 0 }]);
});
