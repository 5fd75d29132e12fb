import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { webhooks as requisitionEvents } from '../../../../src/staffing/requisitions/events.ts';
import { webhooks as testEvents } from '../../../../src/staffing/webhooks/events.ts';
import { EXAMPLE_REQUEST } from '../../../../src/trust/evidence/schema.ts';
import { exampleAgent } from '../../../support/evidence.ts';
import { compilePrograms, generateClients, spectralProblems } from '../../../support/generated-clients.ts';
import { ADMIN, openStaffingApp, type StaffingApp } from '../../../support/staffing-app.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

const ROOT = join(import.meta.dir, '../../../..');
/** A program that is loaded when its imports were generated. */
type Program = { run(url: string, key: string, ...more: unknown[]): Promise<string[]> };

let trust: TrustApp;
let staffing: StaffingApp;
let servers: Bun.Server<undefined>[];
beforeAll(async () => {
  [trust, staffing] = await Promise.all([openTrustApp(), openStaffingApp()]);
  servers = [trust, staffing].map(({ fetch }) => Bun.serve({ port: 0, fetch: (request) => fetch(request) }));
  const documents = {
    trust: [trust, '/openapi.json'],
    staffing: [staffing, '/openapi.json'],
    'staffing-admin': [staffing, '/admin/openapi.json'],
  } as const;
  await Promise.all(
    Object.entries(documents).map(async ([name, [{ fetch }, path]]) => {
      const response = await fetch(new Request(`http://localhost${path}`));
      await generateClients(name, await response.text());
    }),
  );
}, 180_000);
afterAll(async () => {
  for (const server of servers) await server.stop(true);
  await Promise.all([trust.close(), staffing.close()]);
});

/** Returns the example of an event of the staffing service. */
const staffingEvent = (type: string): unknown => ({ ...requisitionEvents, ...testEvents })[type]?.example;

const program = (name: string): Promise<Program> => import(join(ROOT, 'test/clients', `${name}.ts`));
const url = (index: number): string => `http://localhost:${servers[index]?.port}`;

test('programs by the generated clients compile, and those that make a mistake do not', async () => {
  expect(await compilePrograms()).toBe('');
}, 180_000);

test('a program by the types of openapi-typescript works with the trust service', async () => {
  const { run } = await program('trust-types');
  expect(await run(url(0), trust.apiKey)).toEqual([
    'pending',
    'success',
    expect.stringMatching(/^[0-9a-f]{64}$/),
    'success',
  ]);
});

test('a program by the client of @hey-api/openapi-ts works with the trust service', async () => {
  const { run } = await program('trust-sdk');
  const { subjectCommitment } = await exampleAgent(trust);
  await trust.service.trust.log.publisher.publish();
  expect(await run(url(0), trust.apiKey, subjectCommitment, EXAMPLE_REQUEST)).toEqual([
    'timeout',
    'COMPUTE_TIMEOUT',
    'success',
    'ISSUED',
    'github_commit_payload',
    '1',
    expect.stringContaining('receipts'),
    'evidence.anchored',
  ]);
});

test('programs by both clients work with the staffing service', async () => {
  const { run } = await program('staffing');
  expect(await run(url(1), staffing.ownKey)).toEqual(['true', 'specialty', 'TX', 'submitted', 'night']);
});

test('a program by the types of the administration makes a partner live', async () => {
  const { run } = await program('staffing-admin');
  expect(await run(url(1), ADMIN)).toEqual(['agency.example', 'live']);
});

test('a receiver by the generated types reads both events', async () => {
  const program = await import(join(ROOT, 'test/clients/staffing-events.ts'));
  expect(program.described(staffingEvent('requisition.status_changed'))).toBe(
    'req_01a20229efd373e4afe84cc732c6aca5 is on_hold',
  );
  expect(program.described(staffingEvent('webhook.test'))).toBe('wh_01a20229efcb7479b1a3a7ca173bc79c works');
});

test('Spectral finds no error and no warning in the OpenAPI documents', async () => {
  const files = ['trust', 'staffing', 'staffing-admin'].map((name) =>
    join(ROOT, 'dist/clients', name, 'openapi.json'),
  );
  expect(await spectralProblems(files)).toEqual([]);
}, 180_000);
