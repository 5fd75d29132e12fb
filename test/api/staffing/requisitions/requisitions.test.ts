import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { concurrently } from '../../../support/client.ts';
import { parametersOf, responsesOf } from '../../../support/openapi.ts';
import { type Scenario, scenarios } from '../../../support/scenario.ts';
import {
  jobBody,
  openStaffingApp,
  PREFIX,
  refusalOf,
  type StaffingApp,
} from '../../../support/staffing-app.ts';

const JOBS = `${PREFIX}/jobs`;

let app: StaffingApp;
beforeAll(async () => {
  app = await openStaffingApp();
});
afterAll(() => app.close());

/** A partner of one's own, so that no test counts another's requisitions. */
let serial = 0;
async function partner() {
  const email = `partner${serial++}@jobs.example`;
  const { body } = await app.anyone.post('/sandbox-keys', { email, company: 'Jobs' });
  const promoted = await app.admin.post(`/admin/partners/${body.partner_id}/promote`);
  return {
    id: String(body.partner_id),
    sandbox: app.keyed(String(body.api_key)),
    live: app.keyed(String(promoted.body.api_key)),
  };
}
const idsOf = (body: Record<string, unknown>): string[] =>
  Object(body).data.map(({ id }: { id: string }) => id);

describe('a requisition', () => {
  test('of a sandbox is stored and not worked, of a live account open at once', async () => {
    const { sandbox, live } = await partner();
    const full = {
      city: 'Austin',
      weeks: 13,
      external_id: 'ATS-1',
      positions: 2,
      start_date: '2030-02-28',
      shift: 'night',
      employment_type: 'travel',
      notes: 'First line.\nSecond.',
    };
    const stored = await sandbox.submit({ ...full, state: 'tx' });
    expect([stored.status, stored.headers.get('location')]).toEqual([
      201,
      `${PREFIX}/jobs/${stored.body.id}`,
    ]);
    expect(stored.body).toEqual({
      id: expect.stringMatching(/^req_[0-9a-f]{32}$/),
      object: 'requisition',
      mode: 'sandbox',
      status: 'submitted',
      worked: false,
      title: 'ICU travel nurse',
      specialty: 'RN critical care',
      specialty_code: '163WC0200X',
      state: 'TX',
      ...full,
      created_at: expect.any(String),
      updated_at: stored.body.created_at,
      history: [{ status: 'submitted', at: stored.body.created_at }],
    });
    expect((await sandbox.get(`/jobs/${stored.body.id}`)).body).toEqual(stored.body);
    const worked = (await live.submit({ specialty: 'Registered Nurse' })).body;
    expect(worked).toMatchObject({
      mode: 'live',
      status: 'open',
      worked: true,
      specialty_code: '163W00000X',
      positions: 1,
      notes: null,
    });
    expect((await live.submit({ specialty: 'Whatever nobody has heard of' })).body.specialty_code).toBeNull();
    expect(idsOf((await sandbox.get('/jobs')).body)).toEqual([String(stored.body.id)]);
  });

  const wrong: [what: string, changes: Record<string, unknown>, fields: string][] = [
    ['no title', { title: undefined }, 'title'],
    ['an empty title', { title: '' }, 'title'],
    ['a blank title', { title: '  ' }, 'title'],
    ['a blank specialty', { specialty: '  ' }, 'specialty'],
    ['a control character in notes', { notes: 'a\u0085' }, 'notes'],
    ['a title of 201 characters', { title: 'x'.repeat(201) }, 'title'],
    ['no specialty', { specialty: undefined }, 'specialty'],
    ['no state', { state: undefined }, 'state'],
    ['a state that is none', { state: 'XX' }, 'state'],
    ['a state in words', { state: 'Texas' }, 'state'],
    ['0 weeks', { weeks: 0 }, 'weeks'],
    ['a week and a half', { weeks: 1.5 }, 'weeks'],
    ['weeks as text', { weeks: '8' }, 'weeks'],
    ['105 weeks', { weeks: 105 }, 'weeks'],
    ['null weeks', { weeks: null }, 'weeks'],
    ['0 positions', { positions: 0 }, 'positions'],
    ['1000 positions', { positions: 1000 }, 'positions'],
    ['30 February', { start_date: '2030-02-30' }, 'start_date'],
    ['a date of another land', { start_date: '1/2/2030' }, 'start_date'],
    ['a moment as date', { start_date: '2030-01-01T00:00:00Z' }, 'start_date'],
    ['a shift that is none', { shift: 'Day' }, 'shift'],
    ['an employment that is none', { employment_type: 'gig' }, 'employment_type'],
    ['2001 characters of notes', { notes: 'x'.repeat(2001) }, 'notes'],
    ['an unknown field', { salary: 1 }, 'salary'],
    ['several wrong fields at once', { weeks: 0, city: '', rate: 1 }, 'city, rate, weeks'],
  ];
  scenarios<StaffingApp>(
    () => app,
    [
      ...wrong.map(
        ([what, changes, fields]): Scenario<StaffingApp> => [
          `with ${what} is refused by name`,
          `POST ${JOBS}`,
          `400 VALIDATION_FAILED: ${fields}`,
          { body: jobBody(changes) },
        ],
      ),
      ['that is no JSON is refused', `POST ${JOBS}`, '400 INVALID_JSON', { raw: '{' }],
      ['that is no object is refused', `POST ${JOBS}`, '400 VALIDATION_FAILED', { raw: '[]' }],
      ['without a body is refused', `POST ${JOBS}`, '400 VALIDATION_FAILED'],
      [
        'of another media type is refused',
        `POST ${JOBS}`,
        '415 UNSUPPORTED_MEDIA_TYPE: none',
        { body: jobBody(), headers: { 'content-type': 'text/plain' } },
      ],
      [
        'of two megabytes is refused',
        `POST ${JOBS}`,
        '413 PAYLOAD_TOO_LARGE: none',
        { body: jobBody({ notes: 'x'.repeat(2 ** 21) }) },
      ],
    ],
  );
});

describe('an external_id', () => {
  test('creates a requisition once for fifty concurrent requests', async () => {
    const { sandbox } = await partner();
    const responses = await concurrently([...Array(50)], 50, () => sandbox.submit({ external_id: 'same' }));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(new Set(responses.map(({ body }) => body.id)).size).toBe(1);
  });

  test('is of its partner and mode; with other content it is a conflict', async () => {
    const { sandbox, live } = await partner();
    const first = await sandbox.submit({ external_id: 'x' });
    await sandbox.call('PATCH', `/jobs/${first.body.id}`, { weeks: 4 });
    const again = await sandbox.submit({ external_id: 'x' });
    expect([again.status, again.body.id, again.body.weeks]).toEqual([200, first.body.id, 4]);
    expect(refusalOf(await sandbox.submit({ external_id: 'x', weeks: 4 }))).toEqual([
      409,
      'EXTERNAL_ID_CONFLICT',
      [],
    ]);
    for (const caller of [live, app.other]) {
      const { status, body } = await caller.submit({ external_id: 'x' });
      expect([status, body.id === first.body.id]).toEqual([201, false]);
    }
    expect(idsOf((await sandbox.get('/jobs?external_id=x')).body)).toEqual([String(first.body.id)]);
    expect(idsOf((await sandbox.get('/jobs?external_id=y')).body)).toEqual([]);
    expect(idsOf((await sandbox.get('/jobs?external_id=x&status=cancelled')).body)).toEqual([]);
  });
});

describe('the 26th requisition of a sandbox', () => {
  test('is refused exactly, even for 50 concurrent requests; a replay does not count; deleting one makes room', async () => {
    const { sandbox, live } = await partner();
    const responses = await concurrently([...Array(60).keys()], 50, (index) =>
      sandbox.submit({ title: `job ${index}` }, { 'idempotency-key': `key-${index}` }),
    );
    const stored = responses.filter(({ status }) => status === 201);
    expect(stored).toHaveLength(25);
    for (const response of responses.filter(({ status }) => status !== 201)) {
      expect(refusalOf(response)).toEqual([403, 'REQUISITION_LIMIT_REACHED', []]);
    }
    const kept = responses.findIndex(({ status }) => status === 201);
    const replay = await sandbox.submit({ title: `job ${kept}` }, { 'idempotency-key': `key-${kept}` });
    expect([replay.status, replay.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    const [first, second] = stored.map(({ body }) => String(body.id));
    await sandbox.post(`/jobs/${first}/cancel`);
    expect(refusalOf(await sandbox.submit())[1]).toBe('REQUISITION_LIMIT_REACHED');
    expect((await sandbox.call('DELETE', `/jobs/${second}`)).body).toEqual({ id: second, deleted: true });
    expect((await sandbox.submit()).status).toBe(201);
    expect(refusalOf(await sandbox.submit())[1]).toBe('REQUISITION_LIMIT_REACHED');
    expect(Object((await sandbox.get('/me')).body).usage.stored_requisitions).toBe(25);
    const lives = await concurrently([...Array(30)], 30, () => live.submit());
    expect(lives.every(({ status }) => status === 201)).toBe(true);
  });
});

describe('the state of a requisition', () => {
  const move = (id: unknown, status: string) => app.admin.post(`/admin/jobs/${id}/status`, { status });

  test('is moved by the operator where it is live, and its history says when', async () => {
    const { id, live } = await partner();
    const job = (await live.submit()).body;
    expect(JSON.stringify((await move(job.id, 'open')).body)).toContain(
      'that is open does not become open. It can become on_hold, filled, cancelled, closed.',
    );
    for (const status of ['on_hold', 'open', 'filled']) {
      const moved = await move(job.id, status);
      expect([moved.status, moved.body.status, moved.body.partner_id]).toEqual([200, status, id]);
    }
    const { history, status } = (await live.get(`/jobs/${job.id}`)).body;
    expect(Object(history).map((step: { status: string }) => step.status)).toEqual([
      'submitted',
      'open',
      'on_hold',
      'open',
      'filled',
    ]);
    expect(status).toBe('filled');
    for (const next of ['open', 'on_hold', 'closed', 'cancelled', 'filled']) {
      const refused = await move(job.id, next);
      expect(refusalOf(refused)).toEqual([409, 'INVALID_STATE', []]);
      expect(JSON.stringify(refused.body)).toContain(
        `that is filled does not become ${next}. This status is final.`,
      );
    }
    expect(refusalOf(await live.post(`/jobs/${job.id}/cancel`))).toEqual([409, 'INVALID_STATE', []]);
    expect(refusalOf(await live.call('PATCH', `/jobs/${job.id}`, { weeks: 1 }))).toEqual([
      409,
      'INVALID_STATE',
      [],
    ]);
    expect(refusalOf(await live.call('DELETE', `/jobs/${job.id}`))).toEqual([409, 'INVALID_STATE', []]);
    expect(refusalOf(await move(job.id, 'submitted'))).toEqual([400, 'VALIDATION_FAILED', ['status']]);
  });

  test('can only become cancelled by its partner in a sandbox', async () => {
    const { sandbox } = await partner();
    const { id } = (await sandbox.submit()).body;
    expect(refusalOf(await move(id, 'open'))).toEqual([409, 'INVALID_STATE', []]);
    const cancelled = await sandbox.post(`/jobs/${id}/cancel`);
    expect([cancelled.status, cancelled.body.status]).toEqual([200, 'cancelled']);
    expect(refusalOf(await sandbox.post(`/jobs/${id}/cancel`))).toEqual([409, 'INVALID_STATE', []]);
    expect(refusalOf(await sandbox.call('PATCH', `/jobs/${id}`, { title: 'x' }))[1]).toBe('INVALID_STATE');
    expect((await sandbox.call('DELETE', `/jobs/${id}`)).status).toBe(200);
  });

  test('is changed by one of two concurrent requests', async () => {
    const { live } = await partner();
    const { id } = (await live.submit()).body;
    const [left, right] = await Promise.all([move(id, 'filled'), live.post(`/jobs/${id}/cancel`)]);
    expect([left.status, right.status].sort()).toEqual([200, 409]);
  });

  test('a change of a requisition accepts any field except external_id; null clears', async () => {
    const { live } = await partner();
    const job = (await live.submit({ weeks: 13, city: 'Austin', external_id: 'e', notes: 'n', positions: 3 }))
      .body;
    const change = {
      title: 'OR nurse',
      specialty: 'CRNA',
      state: 'ca',
      weeks: null,
      notes: null,
      positions: null,
    };
    const changed = await live.call('PATCH', `/jobs/${job.id}`, change);
    expect(changed.body).toMatchObject({
      title: 'OR nurse',
      specialty_code: '367500000X',
      state: 'CA',
      weeks: null,
      notes: null,
      city: 'Austin',
      positions: 1,
      external_id: 'e',
    });
    for (const [bad, field] of [
      [{ external_id: 'f' }, 'external_id'],
      [{ title: null }, 'title'],
      [{ state: null }, 'state'],
      [{ weeks: 0 }, 'weeks'],
      [{ status: 'filled' }, 'status'],
    ] as const) {
      expect(refusalOf(await live.call('PATCH', `/jobs/${job.id}`, bad))).toEqual([
        400,
        'VALIDATION_FAILED',
        [field],
      ]);
    }
    expect((await live.call('PATCH', `/jobs/${job.id}`, {})).status).toBe(200);
  });
});

describe("another partner's requisition", () => {
  test('is 404 for every operation', async () => {
    const [mine, theirs] = [await partner(), await partner()];
    for (const job of [(await mine.sandbox.submit()).body, (await mine.live.submit()).body]) {
      const strangers = [theirs.sandbox, theirs.live, job.mode === 'live' ? mine.sandbox : mine.live];
      for (const stranger of strangers) {
        for (const [method, path, body] of [
          ['GET', `/jobs/${job.id}`],
          ['PATCH', `/jobs/${job.id}`, { title: 'stolen' }],
          ['POST', `/jobs/${job.id}/cancel`],
          ['DELETE', `/jobs/${job.id}`],
        ] as const) {
          expect(refusalOf(await stranger.call(method, path, body))).toEqual([404, 'NOT_FOUND', []]);
        }
        expect(idsOf((await stranger.get('/jobs')).body)).not.toContain(String(job.id));
      }
    }
  });
});

describe('the list of requisitions', () => {
  test('returns every requisition once, newest first, while others are added', async () => {
    const { live } = await partner();
    const submitted: string[] = [];
    for (let index = 0; index < 23; index++) submitted.push(String((await live.submit()).body.id));
    const found: string[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await live.get(`/jobs?limit=5${cursor}`);
      found.push(...idsOf(body));
      await live.submit();
      if (body.next_cursor === null) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    expect(found).toEqual(submitted.toReversed());
    expect(Object((await live.get('/jobs')).body).data).toHaveLength(25);
  });

  test('refuses an invalid limit, and a cursor of another list', async () => {
    const { live } = await partner();
    for (let index = 0; index < 3; index++) await live.submit();
    for (const limit of ['0', '101', 'abc', '-1', '1.5', '']) {
      expect(refusalOf(await live.get(`/jobs?limit=${limit}`))).toEqual([
        400,
        'VALIDATION_FAILED',
        ['limit'],
      ]);
    }
    const cursor = String((await live.get('/jobs?limit=1')).body.next_cursor);
    const tampered = cursor.slice(0, -1) + (cursor.endsWith('A') ? 'B' : 'A');
    for (const [caller, query] of [
      [live, `cursor=${cursor}&status=open`],
      [live, `cursor=${tampered}`],
      [live, 'cursor=abc'],
      [live, 'cursor='],
      [app.own, `cursor=${cursor}`],
    ] as const) {
      expect(refusalOf(await caller.get(`/jobs?limit=1&${query}`))[1]).toBe('INVALID_CURSOR');
    }
    expect((await live.get(`/jobs?limit=1&cursor=${cursor}`)).status).toBe(200);
    expect(refusalOf(await live.get('/jobs?status=done'))[2]).toEqual(['status']);
  });

  test('of the operator has all of them, with their partners', async () => {
    const { id, live, sandbox } = await partner();
    const jobs = [(await live.submit()).body.id, (await sandbox.submit()).body.id];
    const { body } = await app.admin.get('/admin/jobs?limit=2');
    expect(Object(body).data).toMatchObject([
      { id: jobs[1], partner_id: id, mode: 'sandbox' },
      { id: jobs[0], partner_id: id, mode: 'live' },
    ]);
    const open = await app.admin.get('/admin/jobs?limit=1&mode=live&status=open');
    expect(idsOf(open.body)).toEqual([String(jobs[0])]);
    expect(refusalOf(await app.admin.get(`/admin/jobs?cursor=${open.body.next_cursor}`))[1]).toBe(
      'INVALID_CURSOR',
    );
  });
});

describe('an Idempotency-Key', () => {
  test('repeats the first response; its scope is partner, tier and path', async () => {
    const { sandbox, live } = await partner();
    const once = { 'idempotency-key': 'a' };
    const first = await sandbox.submit({}, once);
    const again = await sandbox.submit({}, once);
    expect([again.status, again.body, again.headers.get('idempotency-replayed')]).toEqual([
      201,
      first.body,
      'true',
    ]);
    expect(refusalOf(await sandbox.submit({ weeks: 1 }, once))).toEqual([409, 'IDEMPOTENCY_CONFLICT', []]);
    const second = await sandbox.post('/keys');
    const other = app.keyed(String(second.body.api_key));
    expect((await other.submit({}, once)).body.id).toBe(first.body.id);
    expect((await live.submit({}, once)).body.mode).toBe('live');
    expect((await app.other.submit({}, once)).headers.get('idempotency-replayed')).toBeNull();
  });
});

test('the OpenAPI document has the conflict and the headers of the responses', async () => {
  const { body } = await app.anyone.get('/openapi.json');
  const operation = (path: string) => Object(Object(body.paths)[PREFIX + path]).post;
  for (const path of ['/jobs', '/keys']) {
    const parameters = parametersOf(body, operation(path));
    const responses = Object(Object.fromEntries(responsesOf(body, operation(path))));
    const header = parameters.find(({ name }) => name === 'Idempotency-Key');
    expect(header?.description).toContain('another body is 409');
    expect(responses['409'].description).toContain('IDEMPOTENCY_CONFLICT');
    expect(responses['422']).toBeUndefined();
    const replay = await app.own.post(path, path === '/jobs' ? jobBody() : {}, {
      'idempotency-key': 'conflict',
    });
    expect(replay.status).toBe(201);
    expect(replay.headers.has('location')).toBe(responses['201'].headers.Location !== undefined);
    const other = path === '/jobs' ? jobBody({ state: 'CA' }) : { scopes: ['jobs:read'] };
    const conflict = await app.own.post(path, other, { 'idempotency-key': 'conflict' });
    expect([conflict.status, Object(conflict.body.error).code]).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
  }
  for (const [path, item] of Object.entries(Object(body.paths))) {
    for (const described of Object.values(Object(item))) {
      for (const [status, response] of responsesOf(body, described)) {
        const { description } = Object(response);
        if (status.startsWith('4'))
          expect([path, description]).toEqual([path, expect.stringMatching(/^[A-Z_]+: /)]);
      }
    }
  }
  expect(operation('/sandbox-keys').responses['201'].headers.Location).toBeUndefined();
});

test('every response to a key has the X-RateLimit headers, with 0 when there are no limits', async () => {
  const { headers } = await app.own.get('/me');
  const limits = ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`));
  expect(limits).toEqual(['0', '0', expect.stringMatching(/^[0-9]{10}$/)]);
  expect(headers.has('ratelimit')).toBe(false);
});
