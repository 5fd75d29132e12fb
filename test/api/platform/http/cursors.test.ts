import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256Hex } from '../../../../src/platform/crypto/crypto.ts';
import type { ApiResponse } from '../../../support/client.ts';
import { firstCursor, listPaths, onlyOwnCursors, type TestList } from '../../../support/lists.ts';
import { staffingDocument } from '../../../support/openapi.ts';
import { makeStaffingLists, makeTrustLists } from '../../../support/service-lists.ts';
import { openStaffingApp, PREFIX, type StaffingApp } from '../../../support/staffing-app.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

const RUNS = 60;

let trust: TrustApp;
let staffing: StaffingApp;
let trustLists: Record<string, TestList>;
let staffingLists: Record<string, TestList>;

beforeAll(async () => {
  [trust, staffing] = await Promise.all([openTrustApp(), openStaffingApp()]);
  [trustLists, staffingLists] = await Promise.all([makeTrustLists(trust), makeStaffingLists(staffing)]);
});
afterAll(async () => {
  await Promise.all([trust.close(), staffing.close()]);
});

const cursorsOf = (lists: readonly TestList[]) =>
  Promise.all(lists.map(async (of) => ({ of, cursor: await firstCursor(of) })));

describe('every list of the trust service', () => {
  test('that the OpenAPI document has is looked at here', async () => {
    const { body } = await trust.anyone.get('/openapi.json');
    expect(listPaths(body).sort()).toEqual(Object.keys(trustLists).sort());
  });

  test('accepts its own cursors, and returns 400 for all others', async () => {
    const all = Object.values(trustLists);
    const cursors = await cursorsOf([...all, ...Object.values(staffingLists)]);
    const refusal = ({ body }: ApiResponse) =>
      body.reason_code === 'validation_error' ? Object.keys(Object(body.issues)).join() : body;
    for (const list of all) await onlyOwnCursors(list, cursors, refusal, RUNS);
    expect(trust.logged()).not.toContain('request failed');
  }, 180_000);
});

describe('every list of the staffing service', () => {
  test('that the OpenAPI document has is looked at here', async () => {
    expect(listPaths(await staffingDocument(staffing.anyone.get)).sort()).toEqual(
      Object.keys(staffingLists).sort(),
    );
  });

  test('accepts its own cursors, and returns 400 for all others', async () => {
    const all = Object.values(staffingLists);
    const cursors = await cursorsOf([...all, ...Object.values(trustLists)]);
    const refusal = ({ body }: ApiResponse) =>
      Object(body.error).code === 'INVALID_CURSOR' ? 'cursor' : body;
    for (const list of all) await onlyOwnCursors(list, cursors, refusal, RUNS);
    expect(staffing.logged()).not.toContain('request failed');
  }, 180_000);
});

test('a cursor of another installation is refused', async () => {
  const [elsewhere, staffingElsewhere] = await Promise.all([openTrustApp(), openStaffingApp()]);
  const leaderboard = await firstCursor(trustLists['/api/v1/leaderboard'] ?? Object(null));
  const search = await firstCursor(staffingLists[`${PREFIX}/clinicians/search`] ?? Object(null));
  expect((await elsewhere.anyone.get(`/api/v1/leaderboard?cursor=${leaderboard}`)).status).toBe(400);
  const refused = await staffingElsewhere.own.get(`/clinicians/search?surname=s&cursor=${search}`);
  expect([refused.status, Object(refused.body.error).code]).toEqual([400, 'INVALID_CURSOR']);
  await Promise.all([elsewhere.close(), staffingElsewhere.close()]);
});

test('a position that a caller made up, with a checksum that needs no key, reaches no query', async () => {
  const forged = (position: string, scope: string): string =>
    Buffer.from(`${sha256Hex(`${position}|${scope}`).slice(0, 16)}${position}`).toString('base64url');
  for (const [path, scope] of [
    ['/api/v1/operator/api-keys', 'api-keys'],
    ['/api/v1/webhooks', 'webhooks'],
    ['/api/v1/leaderboard', 'leaderboard'],
  ] as const) {
    for (const position of ['["x","x"]', '["1e300"]', '["4","1","2"]', '[]', '{}']) {
      const { status, body } = await trust.own.get(`${path}?cursor=${forged(position, scope)}`);
      expect([path, position, status, body.reason_code]).toEqual([path, position, 400, 'validation_error']);
    }
  }
});

test('a cursor is valid after a restart, since its key is in the database', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'countersign-cursors-'));
  const list = '/api/v1/operator/api-keys?limit=1';
  let cursor: unknown;
  for (const start of [1, 2]) {
    const app = await openTrustApp({}, null, join(parent, 'data'));
    if (start === 1) {
      await app.own.post('/api/v1/operator/api-keys', {});
      cursor = (await app.own.get(list)).body.next_cursor;
    }
    const { status, body } = await app.own.get(`${list}&cursor=${cursor}`);
    expect([status, Object(body.api_keys).length]).toEqual([200, 1]);
    await app.close();
  }
  rmSync(parent, { recursive: true });
});
