import { afterAll, beforeAll, expect, test } from 'bun:test';
import pino from 'pino';
import { operationAction } from '../../../src/platform/control/operation.ts';
import { descriptionsOf } from '../../../src/platform/module.ts';
import { localStaffingApp } from '../../../src/staffing/service/local-app.ts';
import { staffingModules } from '../../../src/staffing/service/modules.ts';
import { STAFFING_DOCUMENTS } from '../../support/openapi.ts';
import { staffingAdministrator } from '../../support/staffing-administrator.ts';
import { openStaffingApp, type StaffingApp } from '../../support/staffing-app.ts';

let app: StaffingApp;
let operations: { operation: string; method: string; path: string; isLocal: boolean }[];
beforeAll(async () => {
  app = await openStaffingApp();
  const local = localStaffingApp(app.service.staffing, pino({ level: 'silent' }));
  operations = [...(await local.operations())].map(([operation, { method, path }]) => ({
    ...{ operation, method, path },
    isLocal: path.startsWith('/local/'),
  }));
});
afterAll(() => app.close());

const idsOf = (isLocal: boolean) =>
  operations.filter((found) => found.isLocal === isLocal).map(({ operation }) => operation);

test('each local operation has its section in an api.md, and no section of one is left over', async () => {
  const texts = await descriptionsOf(staffingModules);
  const sections = Object.entries(texts).flatMap(([operation, { isLocal }]) =>
    isLocal === true ? [operation] : [],
  );
  expect(sections.sort()).toEqual(idsOf(true).sort());
  expect(sections.length).toBeGreaterThan(3);
});

test('the local administrator has the operations of the admin token', async () => {
  const { paths } = Object((await app.anyone.get('/admin/openapi.json')).body);
  const documented = Object.values<object>(paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  );
  expect(idsOf(false).sort()).toEqual(documented.sort());
});

test('a listener has no local operation, not even for the admin token, and no document names one', async () => {
  const documents = await Promise.all(STAFFING_DOCUMENTS.map((path) => app.anyone.get(path)));
  const text = JSON.stringify(documents.map(({ body }) => body));
  for (const { operation, method, path } of operations.filter(({ isLocal }) => isLocal)) {
    expect(text).not.toContain(`"${operation}"`);
    for (const prefix of ['', '/api/staffing/partner/v1', '/api/staffing/partner/v1/admin']) {
      const headers = { authorization: `Bearer ${app.admin.key}`, 'content-type': 'application/json' };
      const body = method === 'GET' ? {} : { body: '{}' };
      const url = `http://localhost${prefix}${path.replace(/:\w+/g, app.partnerId)}`;
      const response = await app.fetch(new Request(url, { method, headers, ...body }));
      expect([operation, prefix, response.status]).toEqual([operation, prefix, 404]);
    }
  }
});

test('the control socket of a running service performs them', async () => {
  const { actions } = await app.service.background();
  const action = actions.find(({ name }) => name === operationAction.name);
  const input = { operation: 'listPartners', operator: null, arguments: {} };
  expect(Object(await action?.handle(app.service.staffing, input)).data).toHaveLength(2);
});

test.each([
  ['', 2, /^id must not be ""$/],
  ['../jobs', 4, /no partner \.\.\/jobs/],
  ['x'.repeat(300), 2, /^id must have at most 256 characters$/],
  ['日本', 4, /no partner 日本/],
])('the partner "%s" that does not exist is refused', async (id, exitCode, message) => {
  const refused = staffingAdministrator(app.service)('promotePartner', { id });
  await expect(refused).rejects.toMatchObject({ exitCode, message: expect.stringMatching(message) });
});
