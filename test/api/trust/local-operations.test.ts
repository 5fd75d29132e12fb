import { afterAll, beforeAll, expect, test } from 'bun:test';
import pino from 'pino';
import { CALL_OPERATOR } from '../../../src/platform/control/operation.ts';
import { descriptionsOf } from '../../../src/platform/module.ts';
import { openLocalApp } from '../../../src/trust/service/local-app.ts';
import { trustModules } from '../../../src/trust/service/modules.ts';
import { openTrustApp, type TrustApp } from '../../support/trust-app.ts';

let app: TrustApp;
let local: { operation: string; method: string; path: string }[];
beforeAll(async () => {
  app = await openTrustApp();
  const { operations } = await openLocalApp(
    app.service.trust,
    new Map(),
    pino({ level: 'silent' }),
    trustModules,
  );
  local = [...(await operations())].flatMap(([operation, { method, path }]) =>
    path.startsWith('/local/') ? [{ operation, method, path }] : [],
  );
});
afterAll(() => app.close());

test('each local operation has its section in an api.md, and no section of one is left over', async () => {
  const texts = await descriptionsOf(trustModules);
  const sections = Object.entries(texts).flatMap(([operation, { isLocal }]) =>
    isLocal === true ? [operation] : [],
  );
  expect(sections.sort()).toEqual(local.map(({ operation }) => operation).sort());
  expect(sections.length).toBeGreaterThan(20);
});

test('a listener has no local operation, not even for an admin key, and no document names one', async () => {
  const document = JSON.stringify((await app.anyone.get('/openapi.json')).body);
  for (const { operation, method, path } of local) {
    expect(document).not.toContain(`"${operation}"`);
    for (const caller of [app.own, app.anyone]) {
      const { status, body } = await caller.call(method, path.replace(/:\w+/g, app.otherId), {});
      expect([operation, status, body.reason_code]).toEqual([operation, 404, 'not_found']);
    }
  }
});

test('a listener ignores the header that names the operator of the local administrator', async () => {
  const header = { [CALL_OPERATOR]: app.service.firstStart.operatorId };
  const { body } = await app.other.call('GET', '/api/v1/operator/api-keys', undefined, header);
  expect(JSON.stringify(body)).toContain(new Bun.CryptoHasher('sha256').update(app.otherKey).digest('hex'));
  const anyone = await app.anyone.call('GET', '/api/v1/operator/api-keys', undefined, header);
  expect(anyone.status).toBe(401);
});
