import { expect, test } from 'bun:test';
import { connect } from 'node:net';
import pino from 'pino';
import { takeDataDirectory } from '../../../../src/platform/data-directory.ts';
import { createMetrics } from '../../../../src/platform/monitoring/metrics.ts';
import { schedule } from '../../../../src/platform/scheduler.ts';
import { LOG_NAMES } from '../../../../src/proof/log/log-names.ts';
import { REQUIRED_KEYS } from '../../../../src/trust/log/keys/signing-keys.ts';
import { openTrustService } from '../../../../src/trust/service/service.ts';
import { client, DIGEST } from '../../../support/client.ts';
import { openTrustApp } from '../../../support/trust-app.ts';
import { VirtualTime } from '../../../support/virtual-time.ts';

const KEY = `pp_${'77'.repeat(32)}`;

test("a metric that every service has is no module's", () => {
  const name = 'countersign_store_writes_total';
  const { add } = createMetrics('trust', '1.2.3');
  expect(() => add([{ name, help: '', labels: [], read: async () => [] }])).toThrow(
    `a module has the metric ${name}, which every service has`,
  );
});

test('metrics cover requests, commits, receipts by state and the log', async () => {
  const metrics = createMetrics('trust', '1.2.3');
  const directory = takeDataDirectory(':memory:');
  const config = new Map([['bootstrap_api_key', KEY]]);
  const log = pino({ level: 'silent' });
  const service = await openTrustService(directory, config, log, {
    version: 'test',
    url: 'http://localhost',
    recorder: metrics.recorder,
  });
  const { metrics: ofService, tasks } = await service.background();
  metrics.add(ofService);
  const { fetch: handle } = service.app('/');
  const { url, stop } = metrics.listen('127.0.0.1', 0);
  expect(() => metrics.listen('127.0.0.1', Number(new URL(url).port))).toThrow(/metrics cannot be served/);

  const api = client(handle, 'http://localhost', KEY);
  const { body } = await api.issue();
  await api.issue();
  await api.finalize(body.receipt_id, { status: 'success', output_hash: DIGEST });
  const [publishing] = tasks.filter(({ name }) => name === 'publish checkpoints');
  const time = new VirtualTime();
  const { stop: stopTasks } = schedule(publishing === undefined ? [] : [publishing], {
    log,
    timers: time,
    recorder: metrics.recorder,
  });
  // Growth plans a round within a second.
  time.advance(1000);
  await stopTasks();
  await service.trust.log.publisher.publish();
  metrics.recorder.webhook('evidence.anchored', 'dropped', 2);
  await client(handle, 'http://localhost', null).issue();
  await api.get('/nothing');
  await handle(new Request('http://localhost/api/health', { method: 'HEAD' }));
  await handle(new Request('http://localhost/api/health', { method: 'PATCH' }));

  const response = await fetch(url);
  expect(response.headers.get('content-type')).toStartWith('text/plain; version=0.0.4');
  const text = await response.text();
  const value = (name: string): number | null => {
    const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `));
    return line === undefined ? null : Number(line.slice(name.length));
  };
  const responses = (labels: string) => value(`countersign_http_responses_total{${labels}}`);
  expect(responses('method="POST",status="201"')).toBe(2);
  expect(responses('method="POST",status="401"')).toBe(1);
  expect(responses('method="POST",status="200"')).toBe(1);
  expect(responses('method="GET",status="404"')).toBe(1);
  expect(responses('method="HEAD",status="200"')).toBe(1);
  expect(responses('method="PATCH",status="405"')).toBe(1);
  const ofRoute = (labels: string) => value(`countersign_http_route_responses_total{${labels}}`);
  expect(ofRoute('route="/api/v1/receipts",status_class="2xx"')).toBe(2);
  expect(ofRoute('route="/api/v1/receipts",status_class="4xx"')).toBe(1);
  expect(ofRoute('route="none",status_class="4xx"')).toBe(2);
  const timed = (route: string) => value(`countersign_http_request_duration_seconds_count{route="${route}"}`);
  expect(timed('/api/v1/receipts')).toBe(3);
  expect(timed('/api/v1/receipts/:id/finalize')).toBe(1);
  expect(value('countersign_log_damaged{log="receipts"}')).toBe(0);
  expect(value('countersign_receipts{status="success",revocation_status="active"}')).toBe(1);
  expect(value('countersign_receipts{status="pending",revocation_status="active"}')).toBe(1);
  expect(value('countersign_store_writes_total')).toBeGreaterThanOrEqual(3);
  expect(value('countersign_store_commit_duration_seconds_count')).toBeGreaterThanOrEqual(3);
  expect(value('countersign_store_wal_bytes')).toBeGreaterThan(0);
  for (const log of LOG_NAMES) {
    expect(value(`countersign_log_checkpoint_age_seconds{log="${log}"}`)).toBeGreaterThanOrEqual(0);
    expect(value(`countersign_log_signing_duration_seconds_count{log="${log}"}`)).toBe(
      log === 'receipts' ? 2 : 1,
    );
  }
  expect(value('countersign_log_leaves{log="receipts"}')).toBe(1);
  expect(value('countersign_log_tree_size{log="receipts"}')).toBe(1);
  // Each key was added and activated.
  expect(value('countersign_log_tree_size{log="keys"}')).toBe(2 * REQUIRED_KEYS.length);
  expect(value('countersign_log_merge_delay_seconds_count{log="receipts"}')).toBe(1 + 1);
  expect(value('countersign_task_duration_seconds_count{task="publish checkpoints",outcome="done"}')).toBe(1);
  expect(value('countersign_webhook_deliveries_total{event="evidence.anchored",result="dropped"}')).toBe(2);
  for (const name of ['webhooks', 'webhook_queue_length', 'webhook_tries_running']) {
    expect(value(`countersign_${name}`)).toBe(0);
  }
  expect(value('countersign_build_info{service="trust",version="1.2.3"}')).toBe(1);
  expect(value('process_resident_memory_bytes')).toBeGreaterThan(1e6);
  expect(text).not.toContain(String(body.receipt_id));

  expect((await fetch(url.replace('/metrics', '/'))).status).toBe(404);
  expect((await fetch(url, { method: 'POST' })).status).toBe(405);
  await stop();
  await service.close();
  directory.release();
});

test('metrics have less than 300 KB after every route was reached with every method and status', async () => {
  const { anyone, close } = await openTrustApp();
  const { body: document } = await anyone.get('/openapi.json');
  await close();
  // Pages for people are not in the document; there are fewer.
  const pages = Array.from({ length: 50 }, (_, n) => `/account/agents/:id/page-${n}`);
  const routes = [null, ...Object.keys(Object(document.paths)), ...pages];
  expect(routes.length).toBeGreaterThan(150);
  const { recorder, listen } = createMetrics('trust', '1.2.3');
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];
  const statuses = [
    200, 201, 202, 204, 206, 302, 303, 304, 400, 401, 402, 403, 404, 405, 406, 408, 409, 410, 411, 412, 413,
    414, 415, 416, 417, 421, 422, 426, 428, 429, 431, 500, 501, 502, 503, 504,
  ];
  for (const route of routes)
    for (const method of methods)
      for (const status of statuses) recorder.request(method, route, status, 0.02);
  for (let task = 0; task < 30; task++)
    for (const isOk of [true, false]) recorder.task(`expire things of kind ${task}`, isOk, 0.01);
  const { url, stop } = listen('127.0.0.1', 0);
  const text = await (await fetch(url)).text();
  await stop();
  expect(text.length).toBeLessThan(300_000);
});

test('a scrape of metrics without Host (HTTP/1.0) is a 400, and the listener continues', async () => {
  const { url, stop } = createMetrics('trust', '1.2.3').listen('127.0.0.1', 0);
  const response = await new Promise<string>((resolve) => {
    let got = '';
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () =>
      socket.write('GET /metrics HTTP/1.0\r\n\r\n'),
    );
    socket.on('data', (data) => (got += data)).on('close', () => resolve(got));
  });
  expect(response).toMatch(/^HTTP\/1\.1 400 /);
  expect(response).toEndWith('The Host header is missing.\n');
  expect((await fetch(url)).status).toBe(200);
  await stop();
});
