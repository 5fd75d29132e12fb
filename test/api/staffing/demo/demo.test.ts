import { afterAll, expect, test } from 'bun:test';
import { takeDataDirectory } from '../../../../src/platform/data-directory.ts';
import { staffingServiceDefinition } from '../../../../src/staffing/definition.ts';
import {
  DEMO_ADMIN_TOKEN,
  DEMO_KEY,
  DEMO_REQUISITION_ID,
  DEMO_SPARE_REQUISITION_ID,
} from '../../../../src/staffing/http/example-ids.ts';
import { staffingModules } from '../../../../src/staffing/service/modules.ts';
import { client } from '../../../support/client.ts';
import { openDemo } from '../../../support/demo.ts';

const ORIGIN = 'http://127.0.0.1:3001';
const API = '/api/staffing/partner/v1';

const directory = takeDataDirectory(':memory:');
const service = await openDemo(staffingServiceDefinition(staffingModules), directory);
const { fetch } = service.app('/');
const send = (request: Request) => fetch(request, '127.0.0.1');
const own = client(send, ORIGIN, DEMO_KEY);
const admin = client(send, ORIGIN, DEMO_ADMIN_TOKEN);

afterAll(async () => {
  await service.close();
  directory.release();
});

test('a demonstration has requisitions of every status that three weeks bring, in the sandbox and live', async () => {
  const { data } = (await admin.get(`${API}/admin/jobs?limit=100`)).body;
  const jobs: Record<string, unknown>[] = Array.isArray(data) ? data : [];
  const statuses = new Set(jobs.map(({ status }) => status));
  expect([...statuses].sort()).toEqual(['cancelled', 'closed', 'filled', 'on_hold', 'open', 'submitted']);
  const ages = jobs.map(({ created_at }) => Date.now() - Date.parse(String(created_at)));
  expect(Math.max(...ages)).toBeGreaterThan(19 * 86_400_000);
  expect(Math.min(...ages)).toBeGreaterThanOrEqual(0);
});

test('the webhooks of a demonstration go to this machine only', async () => {
  const set = (url: string) => own.call('PUT', `${API}/webhook`, { url });
  const { status, body } = await set('https://8.8.8.8/');
  expect([status, JSON.stringify(body)]).toEqual([
    400,
    expect.stringContaining('must point to this machine'),
  ]);
  expect((await set('http://127.0.0.1:9/')).status).toBe(200);
});

test('every page and the health response show that it is a demonstration', async () => {
  expect((await own.get('/api/health')).body.demo).toBe(true);
  const page = await (await send(new Request(`${ORIGIN}/swagger`))).text();
  expect(page).toContain('Demonstration: made-up data and public keys.');
  const { info } = (await own.get('/openapi.json')).body;
  expect(Object(info).description).toStartWith('**Demonstration:');
});

test('the examples of deleting and of cancelling a requisition name two, so that both work in the order of the page', async () => {
  expect((await own.call('DELETE', `${API}/jobs/${DEMO_SPARE_REQUISITION_ID}`)).status).toBe(200);
  expect((await own.post(`${API}/jobs/${DEMO_REQUISITION_ID}/cancel`)).status).toBe(200);
});
