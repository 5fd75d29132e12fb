import { afterEach, beforeEach, expect, test } from 'bun:test';
import pino from 'pino';
import { type DataDirectory, takeDataDirectory } from '../../../../src/platform/data-directory.ts';
import type { App } from '../../../../src/platform/http/app.ts';
import { openTrustService, type TrustService } from '../../../../src/trust/service/service.ts';

const API_KEY = `pp_${'ab'.repeat(32)}`;
const DIGEST = '9f'.repeat(32);

let directory: DataDirectory;
let service: TrustService;
let app: App;
let logged: string;

beforeEach(async () => {
  logged = '';
  const sink = {
    write(line: string) {
      logged += line;
    },
  };
  const log = pino({ level: 'trace' }, sink);
  directory = takeDataDirectory(':memory:');
  const config = new Map([['bootstrap_api_key', API_KEY]]);
  service = await openTrustService(directory, config, log, { version: 'test', url: 'http://localhost' });
  app = service.app('http://localhost');
});

afterEach(async () => {
  await service.close();
  directory.release();
});

function issue(scope: string): Promise<Response> {
  const body = {
    agent_id: 'agent-7',
    receipt_type: 'custody',
    input_digest: DIGEST,
    authority_scope: scope,
    expiry: '2036-01-31T12:00:00Z',
    domain: 'CODE_GENERATION',
    blind: true,
  };
  const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' };
  return app.fetch(
    new Request('http://localhost/api/v1/receipts', { method: 'POST', headers, body: JSON.stringify(body) }),
  );
}

async function count(): Promise<unknown> {
  return service.trust.store.read(({ connection }) =>
    connection.sqlite
      .query(
        'SELECT (SELECT count(*) FROM receipt) AS receipts, (SELECT count(*) FROM receipt_version) AS versions',
      )
      .get(),
  );
}

function pragma(text: string): Promise<void> {
  return service.trust.store.writeAsService(({ connection }) => {
    connection.sqlite.run(text);
  });
}

test('on a full disk issuing is 503 storage_unavailable, no partial write remains, health reports it, and it recovers', async () => {
  expect((await issue('fits')).status).toBe(201);
  await pragma('PRAGMA max_page_count = 1');
  const statuses: number[] = [];
  // Rows still fit into pages that are there already; what has the response 201 must be stored, the rest must
  // not.
  for (let round = 0; round < 40; round++) statuses.push((await issue('x'.repeat(256))).status);
  const stored = 1 + statuses.filter((status) => status === 201).length;
  expect(new Set(statuses.slice(-10))).toEqual(new Set([503]));
  expect(await count()).toEqual({ receipts: stored, versions: stored });
  const refused = await issue('x'.repeat(256));
  expect(await refused.json()).toMatchObject({ reason_code: 'storage_unavailable' });
  await service.trust.health.refresh();
  const health = await app.fetch(new Request('http://localhost/api/health'));
  expect([health.status, await health.json()]).toMatchObject([503, { status: 'degraded' }]);
  await pragma('PRAGMA max_page_count = 100000');
  expect((await issue('fits again')).status).toBe(201);
  await service.trust.health.refresh();
  expect((await app.fetch(new Request('http://localhost/api/health'))).status).toBe(200);
});

test('an internal error is a 500 without details, writes nothing, and logs no secret', async () => {
  await pragma(
    "CREATE TRIGGER fail BEFORE INSERT ON receipt_version BEGIN SELECT RAISE(ABORT, 'inner matter'); END",
  );
  const response = await issue('payments:secret-scope');
  const text = await response.text();
  expect(response.status).toBe(500);
  expect(JSON.parse(text)).toMatchObject({ reason_code: 'internal_error' });
  expect(text).not.toContain('inner matter');
  expect(await count()).toEqual({ receipts: 0, versions: 0 });
  expect(logged).toContain('inner matter');
  for (const secret of [API_KEY, API_KEY.slice(3), 'secret-scope', DIGEST])
    expect(logged).not.toContain(secret);
});

test('the database itself refuses to change or delete what was signed', async () => {
  expect((await issue('kept')).status).toBe(201);
  for (const statement of [
    'DELETE FROM receipt',
    'DELETE FROM receipt_version',
    'UPDATE receipt_version SET signature = zeroblob(64)',
    "UPDATE receipt SET agent_id = 'other'",
    "UPDATE receipt SET agent_id = 'other', version = version + 1",
    "UPDATE receipt SET expiry = '2099-01-01T00:00:00Z', version = version + 1",
    'UPDATE receipt SET version = version + 2',
  ]) {
    await expect(pragma(statement)).rejects.toThrow();
  }
  expect(await count()).toEqual({ receipts: 1, versions: 1 });
});
