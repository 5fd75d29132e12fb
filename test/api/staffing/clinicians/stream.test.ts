import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test';
import { createConnection } from 'node:net';
import { listen } from '../../../../src/platform/http/server.ts';
import { type Head, headOf } from '../../../support/head.ts';
import { openStaffingApp, PREFIX, type StaffingApp } from '../../../support/staffing-app.ts';
import { eventually } from '../../../support/virtual-time.ts';

let app: StaffingApp;
beforeAll(async () => {
  app = await openStaffingApp();
});
afterAll(() => app.close());

const ask = (query: string, key: string | null = app.live.key, signal?: AbortSignal): Promise<Response> =>
  app.fetch(
    new Request(`http://localhost${PREFIX}/clinicians/search?${query}`, {
      headers: { accept: 'application/x-ndjson', authorization: `Bearer ${key}` },
      ...(signal === undefined ? {} : { signal }),
    }),
  );

async function pagesOf(query: string): Promise<unknown[]> {
  const found: unknown[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await app.own.get(`/clinicians/search?${query}&limit=100${cursor}`);
    found.push(...Object(body).data);
    if (body.next_cursor === null) return found;
    cursor = `&cursor=${body.next_cursor}`;
  }
}

async function refusal(response: Promise<Response>): Promise<[number, unknown]> {
  const { status } = await response;
  const body = await (await response).json();
  return [status, Object(body).error.code];
}

describe('a search that accepts lines of JSON', () => {
  test('returns exactly the clinicians of all pages, in their order', async () => {
    const response = await ask('specialty=RN');
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
    const text = await response.text();
    expect(text.endsWith('}\n')).toBe(true);
    const rows = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rows).toEqual(await pagesOf('specialty=RN'));
    expect(rows.length).toBeGreaterThan(200);
  });

  test('returns nothing when nobody matches', async () => {
    const response = await ask('surname=qqqq');
    expect([response.status, await response.text()]).toEqual([200, '']);
  });

  test('is for live keys', async () => {
    expect(await refusal(ask('state=CA', app.ownKey))).toEqual([403, 'SCOPE_MISSING']);
  });

  test.each(['limit=5', 'include_total=true', 'cursor=abc'])('has no pages: %s is refused', async (query) => {
    expect(await refusal(ask(`state=CA&${query}`))).toEqual([400, 'VALIDATION_FAILED']);
  });

  test('refuses what other searches refuse before it begins', async () => {
    expect(await refusal(ask('specialty=juggling'))).toEqual([400, 'UNKNOWN_SPECIALTY']);
    expect(await refusal(ask('npi=1'))).toEqual([400, 'INVALID_NPI']);
  });

  test('is one for each key at a time, and leaves room for another when the client goes away', async () => {
    const first = await ask('');
    const second = await ask('');
    expect([second.status, second.headers.get('retry-after')]).toEqual([429, '10']);
    await first.body?.cancel();
    const third = await ask('surname=qqqq');
    expect(third.status).toBe(200);
    await third.text();
    expect(await (await ask('surname=qqqq')).text()).toBe('');
  });

  test('reads only as far as the client does, and fails when the key is revoked', async () => {
    const { body } = await app.live.post('/keys', { scopes: ['registry:read'] });
    const response = await ask('', String(body.api_key));
    const reader = response.body?.getReader();
    expect((await reader?.read())?.done).toBe(false);
    const { status } = await app.live.call('DELETE', `/keys/${Object(body).id}`);
    expect(status).toBe(200);
    const rest = async (): Promise<void> => {
      for (let done = false; !done; ) done = (await reader?.read())?.done ?? true;
    };
    expect(rest()).rejects.toThrow('revoked');
  });

  const headOfSearch = (query: string, key = app.live.key): Promise<Head> =>
    headOf(app.fetch, `${PREFIX}/clinicians/search?${query}`, {
      accept: 'application/x-ndjson',
      authorization: `Bearer ${key}`,
    });

  test('with HEAD reads no clinician, states no length, and leaves room for a stream', async () => {
    const { registry } = app.service.staffing;
    const reads = spyOn(registry, 'read');
    const heads = [await headOfSearch(''), await headOfSearch('')];
    // One read each is the check of the filters.
    const count = reads.mock.calls.length;
    reads.mockRestore();
    expect(count).toBe(2);
    for (const { status, headers, rest } of heads) {
      expect([status, headers.get('content-type'), rest]).toEqual([200, 'application/x-ndjson', '']);
      expect(headers.has('content-length')).toBe(false);
    }
    expect(await (await ask('surname=qqqq')).text()).toBe('');
  });

  test('refuses with HEAD what it refuses with GET', async () => {
    expect((await headOfSearch('', app.ownKey)).status).toBe(403);
    expect((await headOfSearch('', 'mpk_live_unknown')).status).toBe(401);
    expect((await headOfSearch('specialty=juggling')).status).toBe(400);
    const first = await ask('');
    expect((await headOfSearch('')).status).toBe(429);
    await first.body?.cancel();
    expect((await headOfSearch('')).status).toBe(200);
  });

  test('stops reading the registry when the client stops, and ends when its connection does', async () => {
    const { registry } = app.service.staffing;
    const server = listen('127.0.0.1', 0, null);
    server.serve(app.service.app('/'));
    const reads = spyOn(registry, 'read');
    const { port } = new URL(server.url);
    const connection = createConnection({ host: '127.0.0.1', port: Number(port) });
    connection.write(
      `GET ${PREFIX}/clinicians/search HTTP/1.1\r\nHost: localhost\r\nAccept: application/x-ndjson\r\n` +
        `Authorization: Bearer ${app.live.key}\r\n\r\n`,
    );
    connection.on('data', () => connection.pause());
    let before = -1;
    await eventually(async () => {
      const isStill = reads.mock.calls.length > 0 && reads.mock.calls.length === before;
      before = reads.mock.calls.length;
      await Bun.sleep(50);
      return isStill;
    });
    // All clinicians would take a hundred reads.
    expect(before).toBeLessThan(95);
    reads.mockRestore();
    connection.destroy();
    await eventually(async () => {
      const response = await ask('surname=qqqq');
      await response.text();
      return response.status === 200;
    });
    await server.stop(1000);
  });
});
