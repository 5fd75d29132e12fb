import { afterAll, beforeAll, expect, test } from 'bun:test';
import { openStaffingApp, PREFIX, type StaffingApp } from '../../../support/staffing-app.ts';

let app: StaffingApp;
let partners: Record<string, unknown>;
let administration: Record<string, unknown>;
beforeAll(async () => {
  app = await openStaffingApp();
  partners = (await app.anyone.get('/openapi.json')).body;
  administration = (await app.anyone.get('/admin/openapi.json')).body;
});
afterAll(() => app.close());

const pathsOf = (document: Record<string, unknown>): string[] => Object.keys(Object(document.paths));
const schemesOf = ({ components }: Record<string, unknown>): string[] =>
  Object.keys(Object(components).securitySchemes);
const text = async (path: string): Promise<string> => {
  const response = await app.fetch(new Request(`http://localhost${path}`));
  expect([path, response.status]).toEqual([path, 200]);
  return response.text();
};

test("the partners' document has no operation, tag, token or schema of the administration", () => {
  expect(pathsOf(partners).filter((path) => path.includes('/admin'))).toEqual([]);
  expect(schemesOf(partners)).toEqual(['apiKey']);
  expect(JSON.stringify(partners)).not.toContain('adm_');
  expect(JSON.stringify(partners)).not.toContain('"Administration"');
  expect(Object.keys(Object(Object(partners.components).schemas))).not.toContain('Partner');
});

test('the document of the administration has its operations alone, and its own page', async () => {
  const paths = pathsOf(administration);
  expect(paths.length).toBeGreaterThanOrEqual(5);
  expect(paths.filter((path) => !path.startsWith(`${PREFIX}/admin/`))).toEqual([]);
  expect(schemesOf(administration)).toEqual(['adminToken']);
  expect(JSON.stringify(administration)).not.toContain('mpk_live_…');
  expect(administration['x-webhooks']).toBeUndefined();
  expect(await text('/admin/swagger')).toContain('src="/admin/swagger/start.js"');
  expect(await text('/admin/swagger/start.js')).toContain("url: '/admin/openapi.json'");
  expect(await text('/swagger/start.js')).toContain("url: '/openapi.json'");
});

test('the events that a partner receives are webhooks with named schemas, and callbacks of the operation that sets the URL', () => {
  const events = Object(partners['x-webhooks']);
  expect(Object.keys(events).sort()).toEqual(['requisition.status_changed', 'webhook.test']);
  const { schemas } = Object(partners.components);
  const { callbacks } = Object(partners.paths)[`${PREFIX}/webhook`].put;
  for (const [name, { post }] of Object.entries<Record<string, Record<string, Record<string, unknown>>>>(
    events,
  )) {
    const { schema, example } = Object(post?.requestBody?.content)['application/json'];
    const component = Object(schemas)[schema.$ref.split('/').at(-1)];
    expect(component.properties.type.enum).toEqual([name]);
    expect(component.required).toEqual(['type', 'timestamp', 'data']);
    expect(Object.keys(example)).toEqual(['type', 'timestamp', 'data']);
    const { operationId, ...operation } = Object(post);
    expect(operationId).toBe(name === 'webhook.test' ? 'webhookTest' : 'requisitionStatusChanged');
    expect(callbacks[name]['{$request.body#/url}'].post).toEqual(operation);
  }
});
