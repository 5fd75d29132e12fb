import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { buildSdk } from '../../../scripts/sdk.ts';
import type { WebhookTable } from '../../../src/platform/http/openapi/webhooks.ts';
import { webhooks as requisitionEvents } from '../../../src/staffing/requisitions/events.ts';
import { webhooks as testEvents } from '../../../src/staffing/webhooks/events.ts';
import { ADMIN, openStaffingApp, type StaffingApp } from '../../support/staffing-app.ts';
import { openTrustApp, type TrustApp } from '../../support/trust-app.ts';

const ROOT = join(import.meta.dir, '../../..');

let trust: TrustApp;
let staffing: StaffingApp;
let servers: Bun.Server<undefined>[];
beforeAll(async () => {
  await buildSdk();
  const serve = (app: () => { fetch(request: Request): Promise<Response> }) =>
    Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => app().fetch(request) });
  servers = [serve(() => trust), serve(() => staffing)];
  const settings = { 'agents.pow_difficulty': '1' };
  [trust, staffing] = await Promise.all([
    openTrustApp(settings, null, ':memory:', { url: urlOf(0) }),
    openStaffingApp(),
  ]);
}, 180_000);
afterAll(async () => {
  for (const server of servers) await server.stop(true);
  await Promise.all([trust.close(), staffing.close()]);
});

const urlOf = (index: number): string => `http://127.0.0.1:${servers[index]?.port}`;

/** Loads a program, which imports what was built only now. */
const program = (name: string) => import(join(ROOT, 'test/api/sdk/programs', `${name}.ts`));

test('programs compile by the declarations, and those that make a mistake do not', async () => {
  const command = [join(ROOT, 'node_modules/.bin/tsc'), '--project', 'test/api/sdk/programs'];
  const { stdout, exited } = Bun.spawn(command, { cwd: ROOT, stdout: 'pipe', stderr: 'inherit' });
  expect(await new Response(stdout).text()).toBe('');
  expect(await exited).toBe(0);
}, 180_000);

test('a program works with receipts, agents, evidence, webhooks and the log of the trust service', async () => {
  await trust.service.trust.log.publisher.publish();
  const { run } = await program('trust');
  expect(await run(urlOf(0), trust.apiKey)).toEqual({
    outcome: 'too late (COMPUTE_TIMEOUT)',
    conflict: 409,
    verdict: 'valid',
    passport: 'ISSUED',
    renamed: 'Grace',
    anchored: ['success', 'digest'],
    items: ['github_commit_payload'],
    photo: 'https://firm.example/ada.png',
    provisioned: true,
    holder: ['holder', 'holder'],
    webhook: ['evidence.anchored'],
    pages: true,
    limited: { limit: ['must be an integer from 1 to 100'] },
    card: '<svg',
    badge: 'agent-attestation',
    package: '<!doctype html>',
    log: 'receipts',
  });
});

test('a program searches clinicians, works with requisitions and administers partners', async () => {
  const { run } = await program('staffing');
  expect(await run(urlOf(1), staffing.ownKey, ADMIN)).toEqual({
    read: 'TX',
    unknown: ['specialty'],
    shift: 'night',
    status: 'cancelled',
    me: 'sandbox',
    address: 'agency.example',
    promoted: 'live',
  });
});

test('a receiver by the types of the events reads each of them', async () => {
  const { described } = await program('staffing');
  const events: WebhookTable = { ...requisitionEvents, ...testEvents };
  expect(described(events['requisition.status_changed']?.example)).toBe(
    'req_01a20229efd373e4afe84cc732c6aca5 is on_hold',
  );
  expect(described(events['webhook.test']?.example)).toBe('wh_01a20229efcb7479b1a3a7ca173bc79c works');
  const { subjectOf } = await program('trust');
  expect(subjectOf({ event: 'evidence.anchored', data: { event_commitment_hash: 'aa' } })).toBe('aa');
});
