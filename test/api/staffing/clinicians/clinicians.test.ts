import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { JsonObject } from '../../../../src/proof/encoding/json.ts';
import { SearchQuery } from '../../../../src/staffing/clinicians/schema.ts';
import { SAMPLE_NPI } from '../../../../src/staffing/http/example-ids.ts';
import { fold } from '../../../../src/staffing/registry/vocabulary/names.ts';
import { fuzz } from '../../../support/fuzz.ts';
import { STAFFING_DOCUMENTS, staffingDocument } from '../../../support/openapi.ts';
import { type Scenario, scenarios } from '../../../support/scenario.ts';
import { openStaffingApp, PREFIX, refusalOf, type StaffingApp } from '../../../support/staffing-app.ts';

let app: StaffingApp;
beforeAll(async () => {
  app = await openStaffingApp();
});
afterAll(() => app.close());

const searched = async (query: string) => app.own.get(`/clinicians/search?${query}`);
const rowsOf = (body: Record<string, unknown>): Record<string, unknown>[] => Object(body).data;

describe('searching clinicians', () => {
  test('returns every clinician once, in order, for any page size', async () => {
    const query = 'specialty=Registered%20Nurse&state=TX';
    const { body } = await searched(`${query}&limit=100&include_total=true`);
    const found: unknown[] = [];
    for (let cursor = ''; ; ) {
      const page = await searched(`${query}&limit=7${cursor}`);
      found.push(...rowsOf(page.body).map(({ npi }) => npi));
      if (page.body.next_cursor === null) break;
      cursor = `&cursor=${page.body.next_cursor}`;
    }
    expect([found.length, new Set(found).size, body.total_exact]).toEqual([
      Number(body.total),
      found.length,
      true,
    ]);
    expect(rowsOf(body).map(({ npi }) => npi)).toEqual(found.slice(0, 100));
    const names = rowsOf(body).map(
      ({ last_name, first_name }) => `${fold(String(last_name))}, ${fold(String(first_name ?? ''))}`,
    );
    expect(names).toEqual(names.toSorted());
  });

  test('without a filter returns all of them', async () => {
    const { body } = await searched('include_total=true&limit=1');
    expect(body).toMatchObject({ total: 20_000, total_exact: true, has_more: true });
  });

  test('by the examples of all filters together finds the example clinician', async () => {
    const query = Object.entries(SearchQuery.properties).flatMap(([name, { examples }]) =>
      Array.isArray(examples) ? [`${name}=${encodeURIComponent(String(examples[0]))}`] : [],
    );
    expect(query.length).toBe(7);
    const { body } = await searched(query.join('&'));
    expect(rowsOf(body).map(({ npi }) => npi)).toEqual([SAMPLE_NPI]);
    expect(body.understood_as).toEqual([{ code: '163WE0003X', name: 'Emergency Registered Nurse' }]);
  });

  test('finds a name in any spelling', async () => {
    const { body } = await searched('surname=Mc&limit=100');
    const [first] = rowsOf(body);
    const name = String(first?.last_name);
    const spelt = encodeURIComponent(` ${name.toLowerCase().split('').join("'")} `);
    const again = await searched(`surname=${spelt}&match=exact&limit=100`);
    expect(rowsOf(again.body).map(({ npi }) => npi)).toContain(first?.npi);
  });

  const refused = (query: string, expected: Scenario<StaffingApp>[2]): Scenario<StaffingApp> => [
    `by ${query} is refused`,
    `GET ${PREFIX}/clinicians/search?${query}`,
    expected,
  ];
  scenarios<StaffingApp>(
    () => app,
    [
      refused('surname=%20%20', '400 VALIDATION_FAILED: surname'),
      refused(`surname=${'a'.repeat(1000)}`, '400 VALIDATION_FAILED: surname'),
      refused('surname=%F0%9F%99%82', '400 VALIDATION_FAILED: surname'),
      refused('surname=%25', '400 VALIDATION_FAILED: surname'),
      refused('state=XX', '400 VALIDATION_FAILED: state'),
      refused('state=Texas', '400 VALIDATION_FAILED: state'),
      refused('specialty=Juggling', '400 UNKNOWN_SPECIALTY: specialty'),
      refused('cursor=nonsense', '400 INVALID_CURSOR: none'),
      refused('npi=1', '400 INVALID_NPI: npi'),
      refused('npi=', '400 INVALID_NPI: npi'),
      refused(`npi=${Array(101).fill('2000123457').join(',')}`, '400 VALIDATION_FAILED: npi'),
      refused('city=%20', '400 VALIDATION_FAILED: city'),
      refused('first_name=-', '400 VALIDATION_FAILED: first_name'),
      refused('postal_code=7870', '400 VALIDATION_FAILED: postal_code'),
      refused('postal_code=78701-1234', '400 VALIDATION_FAILED: postal_code'),
      refused('postal_code=7x7', '400 VALIDATION_FAILED: postal_code'),
      refused('state=TX&state=CA', '400 VALIDATION_FAILED: state'),
    ],
  );

  test('with an SQL injection finds nobody, and changes nothing', async () => {
    const { status, body } = await searched(`surname=${encodeURIComponent("x'; DROP TABLE clinician; --")}`);
    expect([status, rowsOf(body)]).toEqual([200, []]);
    expect((await searched('limit=1')).status).toBe(200);
  });

  test('accepts a cursor only with its own query', async () => {
    const { body } = await searched('state=TX&limit=1');
    const cursor = String(body.next_cursor);
    const tampered = `${cursor.slice(0, 4)}${cursor[4] === 'a' ? 'b' : 'a'}${cursor.slice(5)}`;
    expect((await searched(`state=tx&limit=2&cursor=${cursor}`)).status).toBe(200);
    for (const query of [`state=CA&cursor=${cursor}`, `cursor=${cursor}`, `state=TX&cursor=${tampered}`]) {
      expect(refusalOf(await searched(query))).toEqual([400, 'INVALID_CURSOR', []]);
    }
  });
});

describe('a clinician', () => {
  test('is returned by NPI as in the search', async () => {
    const [row] = rowsOf((await searched('limit=1')).body);
    expect((await app.own.get(`/clinicians/${row?.npi}`)).body).toEqual(row ?? {});
  });

  const at = (npi: string, expected: Scenario<StaffingApp>[2]): Scenario<StaffingApp> => [
    `is not given for the NPI ${npi}: ${expected}`,
    `GET ${PREFIX}/clinicians/${npi}`,
    expected,
  ];
  scenarios<StaffingApp>(
    () => app,
    [
      at('123', '400 INVALID_NPI'),
      at('2000000007', '400 INVALID_NPI'),
      at('abcdefghij', '400 INVALID_NPI'),
      at('20000000060', '400 INVALID_NPI'),
      at('x'.repeat(300), '400 INVALID_NPI'),
      at('1234567893', '404 NOT_FOUND'),
    ],
  );
});

test('specialties are found by their common names', async () => {
  for (const [query, code] of [
    ['CRNA', '367500000X'],
    ['SLP', '235Z00000X'],
    ['cardio', '207RC0000X'],
  ] as const) {
    const { body } = await app.own.get(`/specialties?query=${query}`);
    expect(rowsOf(body).map((row) => row.code)).toContain(code);
  }
});

/** Whatever may be a member of a response of this service; all else is private, or a mistake. */
const PUBLIC = new Set(
  (
    'problems error code message request_id details field suggestions data has_more next_cursor total total_exact understood_as ' +
    'npi first_name middle_name last_name suffix credential specialty specialties name classification grouping primary ' +
    'city state postal_code status enumerated_on last_updated_on ' +
    'account partner_id email created_at tier scopes key id prefix last4 limits requests_per_minute stored_requisitions ' +
    'usage requests_this_minute requests_today requests_total registry as_of records sample api_key revoked_at ' +
    'object mode worked title specialty_code weeks external_id positions start_date shift employment_type notes updated_at ' +
    'history at change as_of clinician deleted service version url events secret webhook_id event attempts last_status last_error ' +
    'next_attempt_at ended_at'
  ).split(' '),
);
const CANARY = 'canary-7f3a';
const namesIn = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.flatMap(namesIn)
    : typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, member]) => [name, ...namesIn(member)])
      : [];

test('every operation of the staffing service returns what its document names, never with a 5xx, and with public members alone', async () => {
  const document = await staffingDocument(app.anyone.get);
  const job = (await app.own.submit()).body;
  // What only another partner may see.
  await app.other.submit({ title: CANARY, notes: CANARY, external_id: CANARY });
  await app.live.submit({ title: CANARY, external_id: CANARY });
  const [clinician] = rowsOf((await searched('limit=1')).body);
  const seen = new Set<string>();
  const fetch = async (request: Request): Promise<Response> => {
    const response = await app.fetch(request);
    const text = await response.clone().text();
    expect(text).not.toContain(CANARY);
    expect(text).not.toContain('other@agency.example');
    if (!request.url.includes('/admin/')) for (const name of namesIn(JSON.parse(text))) seen.add(name);
    return response;
  };
  const bearer = (key: string): string => `Bearer ${key}`;
  const made = await app.own.post('/keys', { scopes: ['registry:read'] });
  await fuzz(
    fetch,
    Object(document) as JsonObject,
    [bearer(app.ownKey), bearer(app.ownKey), bearer(String(made.body.api_key)), 'Bearer sk_x', null],
    [job.id, clinician?.npi, app.partnerId, 'TX', 'RN', "O'Brien"].map(String),
    3000,
  );
  expect([...seen].filter((name) => !PUBLIC.has(name))).toEqual([]);
  expect(seen.size).toBeGreaterThan(30);
}, 180_000);

test.each(STAFFING_DOCUMENTS)(
  '%s of the staffing service is without a fault in the eyes of Redocly, as OpenAPI 3.0',
  async (path) => {
    const { body } = await app.anyone.get(path);
    expect([body.openapi, Object(body.info).version]).toEqual(['3.0.3', '1.0.0']);
    const file = `${import.meta.dir}/../../../../dist/openapi-staffing.json`;
    await Bun.write(file, JSON.stringify(body));
    const lint = Bun.spawnSync(['node_modules/.bin/redocly', 'lint', '--format=json', file], {
      cwd: `${import.meta.dir}/../../../..`,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    });
    const report = JSON.parse(lint.stdout.toString());
    expect(report.problems).toEqual([]);
  },
);

test('the feed of changes without parameters is empty, and its cursor is for what changes from now on', async () => {
  const { status, body } = await app.own.get('/clinicians/changes');
  expect([status, body]).toEqual([200, { data: [], has_more: false, next_cursor: expect.any(String) }]);
  const later = await app.own.get(`/clinicians/changes?cursor=${body.next_cursor}`);
  expect([later.status, later.body]).toEqual([200, body]);
});
