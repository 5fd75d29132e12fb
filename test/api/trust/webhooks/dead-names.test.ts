import { afterEach, beforeEach, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOperator } from '../../../../src/trust/operators/create-operator.ts';
import { enrolledAgent } from '../../../support/agent.ts';
import { client, strings } from '../../../support/client.ts';
import { evidencePath, PAYLOADS, signedEvidence } from '../../../support/evidence.ts';
import { finalized, latest } from '../../../support/log.ts';
import { type NameServer, silentNameServer } from '../../../support/name-server.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';
import { eventually } from '../../../support/virtual-time.ts';
import { deliveries, EVENTS, emit, eventOf, operatorSeqOf } from '../../../support/webhooks.ts';

/** Far above what the work takes, and far below what a look-up on the shared threads holds them for. */
const SOON_MS = 4000;

let server: NameServer;
let app: TrustApp;
beforeEach(async () => {
  server = await silentNameServer();
  app = await openTrustApp({ 'webhooks.allow_private': 'on' });
});
afterEach(async () => {
  await app.close();
  server.stop();
});

test("webhooks whose names never resolve stop nobody's evidence, receipts and checkpoints, and show why they failed", async () => {
  const agent = await enrolledAgent(app);
  const operators = [await operatorSeqOf(app)];
  const callers = [app.own];
  for (let more = 0; more < 3; more++) {
    const { api_key, operator_id } = await createOperator(app.service.trust, { name: 'o', admin: false });
    operators.push(await operatorSeqOf(app, operator_id));
    callers.push(client(app.fetch, 'http://localhost', api_key));
  }
  const subscriptions = await Promise.all(
    callers.flatMap((caller, of) =>
      [0, 1].map((n) =>
        caller.post('/api/v1/webhooks', { url: `http://n${of}-${n}.example/`, events: EVENTS }),
      ),
    ),
  );
  expect(new Set(subscriptions.map(({ status }) => status))).toEqual(new Set([201]));
  const first = strings(subscriptions[0]?.body ?? {}).id;
  const events = Array.from({ length: 40 }, (_, n) => eventOf('reputation.milestone', operators, n));
  const since = performance.now();
  await emit(app, ...events);
  const hashes = new Set<string>();
  for (let turn = 0; turn < 10; turn++) {
    const payload = PAYLOADS.github_push_webhook(`branch-${turn}`);
    const evidence = signedEvidence(agent, 'github_push_webhook', payload);
    const { status, body } = await app.own.post(evidencePath(agent.commitment), evidence);
    expect(status).toBe(201);
    hashes.add(String(body.event_commitment_hash));
  }
  await finalized(app.own);
  await app.service.trust.log.publisher.publish();
  const { checkpoint } = await latest(app.anyone);
  expect([hashes.size, checkpoint.size]).toEqual([10, 1]);
  expect(performance.now() - since).toBeLessThan(SOON_MS);
  expect(server.asked()).toBeGreaterThan(0);
  const [delivery] = await deliveries(app, first, 1);
  expect([delivery?.status, delivery?.error]).toEqual([null, 'the name did not resolve within 2 s']);
}, 180_000);

test('a server whose webhooks wait for a name lookup stops immediately on a signal', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-dead-names-'));
  const ready = join(directory, 'ready.json');
  const preload = ['--preload', join(import.meta.dir, '../../../support/silent-names.ts')];
  const main = join(import.meta.dir, '../../../../src/main.ts');
  const server = Bun.spawn(
    [process.execPath, ...preload, main, 'serve', '--data', ':memory:', '--port', '0', '--ready-file', ready],
    { stdout: 'ignore', stderr: 'ignore', cwd: directory },
  );
  try {
    await eventually(() => existsSync(ready));
    const { url, api_key } = JSON.parse(readFileSync(ready, 'utf8'));
    const subscribed = await fetch(`${url}/api/v1/webhooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url: 'https://never.example/', events: EVENTS }),
    });
    expect(subscribed.status).toBe(201);
    const since = performance.now();
    server.kill('SIGTERM');
    expect(await server.exited).toBe(0);
    // The resolver would keep it for over 20 s.
    expect(performance.now() - since).toBeLessThan(10_000);
  } finally {
    server.kill('SIGKILL');
    rmSync(directory, { recursive: true });
  }
}, 180_000);
