import { afterEach, describe, expect, test } from 'bun:test';
import { openStaffingApp } from '../../../support/staffing-app.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

let app: TrustApp;
afterEach(() => app.close());

const MANIFEST = '/api/v1/receipts/x/public-manifest';
const EVIDENCE = `/api/v1/passport/agents/${'a'.repeat(64)}/evidence`;
const GATE = { operator_id: 'x', domain: 'CODE_GENERATION' };

async function ask(
  path: string,
  peer: string,
  forwarded?: string,
  body?: unknown,
  method = body === undefined ? 'GET' : 'POST',
  more: Record<string, string> = {},
) {
  const init: RequestInit = {
    method,
    headers: { 'content-type': 'application/json', ...more },
  };
  if (body !== undefined) init.body = typeof body === 'string' ? body : JSON.stringify(body);
  const request = new Request(`http://localhost${path}`, init);
  if (forwarded !== undefined) request.headers.set('x-forwarded-for', forwarded);
  const response = await app.fetch(request, peer);
  const parsed: Record<string, unknown> = JSON.parse(await response.text());
  return { status: response.status, headers: response.headers, body: parsed };
}

describe('limits of an address', () => {
  test.each([
    ['public-reads', 600, MANIFEST, undefined, 404],
    ['gate', 600, '/api/v1/gate/verify', GATE, 200],
    ['enrollment', 30, '/api/v1/passport/agents/enroll/start', {}, 400],
    ['enrollment', 30, '/api/v1/passport/agents/autonomous/challenge', {}, 400],
    ['public-posts', 60, '/api/v1/receipts', {}, 401],
  ])('by default, the policy %s allows %d a minute of %s', async (name, requests, path, body, expected) => {
    app = await openTrustApp({ rate_limits: 'on' });
    for (let turn = 1; turn <= requests; turn++) {
      const { status, headers } = await ask(path, '203.0.113.1', undefined, body);
      expect([status, headers.get('ratelimit')]).toEqual([expected, `"${name}";r=${requests - turn};t=60`]);
      expect(headers.get('ratelimit-policy')).toBe(`"${name}";q=${requests};w=60`);
    }
    const refused = await ask(path, '203.0.113.1', undefined, body);
    expect([refused.status, refused.body.reason_code]).toEqual([429, 'rate_limit_exceeded']);
    expect(Number(refused.headers.get('retry-after'))).toBeWithin(1, 61);
    expect((await ask(path, '203.0.113.2', undefined, body)).status).toBe(expected);
  });

  test('have one setting each, and are counted separately', async () => {
    app = await openTrustApp({
      rate_limits: 'on',
      'limits.public_reads': '4',
      'limits.public_posts': '3',
      'limits.gate': '2',
      'limits.enrollment': '1',
    });
    const commitment = 'a'.repeat(64);
    const counted = async (path: string, body?: unknown, method?: string): Promise<number> => {
      let accepted = 0;
      while (accepted < 10 && (await ask(path, '203.0.113.1', undefined, body, method)).status !== 429) {
        accepted += 1;
      }
      return accepted;
    };
    expect(await counted('/api/v1/gate/verify', GATE)).toBe(2);
    expect(await counted('/api/v1/passport/agents/enroll/complete', {})).toBe(1);
    expect(await counted(`/api/v1/passport/agents/${commitment}/passport`)).toBe(4);
    expect(await counted(`/api/v1/passport/agents/${commitment}/presentation`, {}, 'PUT')).toBe(3);
    expect((await ask('/api/health', '203.0.113.1')).headers.get('ratelimit')).toBeNull();
    expect((await app.own.issue()).status).toBe(201);
  });

  test('also count bodies that are not JSON, before the body is read', async () => {
    app = await openTrustApp({ rate_limits: 'on', 'limits.gate': '2' });
    const statuses: number[] = [];
    for (const body of ['{', '{', '{']) {
      statuses.push((await ask('/api/v1/gate/verify', '203.0.113.1', undefined, body)).status);
    }
    expect(statuses).toEqual([400, 400, 429]);
  });

  test('ignore X-Forwarded-For unless a trusted proxy sent it', async () => {
    app = await openTrustApp({
      rate_limits: 'on',
      trusted_proxies: '10.0.0.0/8',
      'limits.public_reads': '3',
    });
    const statuses = async (peer: string, forwarded: (turn: number) => string): Promise<number[]> => {
      const found: number[] = [];
      for (let turn = 0; turn < 4; turn++) found.push((await ask(MANIFEST, peer, forwarded(turn))).status);
      return found;
    };
    expect(await statuses('203.0.113.9', (turn) => `198.51.100.${turn}`)).toEqual([404, 404, 404, 429]);
    expect(await statuses('10.0.0.1', (turn) => `198.51.100.${turn}`)).toEqual([404, 404, 404, 404]);
    expect(await statuses('10.0.0.1', (turn) => `192.0.2.${turn}, 198.51.100.99`)).toEqual([
      404, 404, 404, 429,
    ]);
    expect(await statuses('2001:db8::1', () => '')).toEqual([404, 404, 404, 429]);
    // The same /64.
    expect((await ask(MANIFEST, '2001:db8::2')).status).toBe(429);
    expect((await ask(MANIFEST, '2001:db8:0:1::2')).status).toBe(404);
  });

  test('count no requests when they are off', async () => {
    app = await openTrustApp({ rate_limits: 'off', 'limits.public_reads': '1' });
    for (let turn = 0; turn < 5; turn++) {
      const { status, headers } = await ask(MANIFEST, '203.0.113.1');
      expect([status, headers.get('ratelimit')]).toEqual([404, null]);
    }
  });
});

describe('requests without a valid key', () => {
  const GUESSES: [string, string, string][] = [
    ['none', '/api/v1/receipts', ''],
    ['one of another form', '/api/v1/receipts', 'Bearer x'],
    ['an unknown one', '/api/v1/receipts', `Bearer pp_${'0'.repeat(64)}`],
    ['none for evidence', EVIDENCE, ''],
    ['an unknown service token', EVIDENCE, `Bearer svc_${'0'.repeat(64)}`],
  ];

  test.each(GUESSES)('are 401 within the limit of their address, then 429: %s', async (_name, path, key) => {
    app = await openTrustApp({ rate_limits: 'on', 'limits.public_posts': '3' });
    const headers: Record<string, string> = key === '' ? {} : { authorization: key };
    const statuses: number[] = [];
    for (let turn = 0; turn < 5; turn++) {
      statuses.push((await ask(path, '203.0.113.1', undefined, {}, 'POST', headers)).status);
    }
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    expect((await ask('/api/v1/receipts', '203.0.113.1', undefined, undefined, 'GET')).status).toBe(429);
    const good = { authorization: `Bearer ${app.apiKey}` };
    expect((await ask('/api/v1/receipts', '203.0.113.1', undefined, undefined, 'GET', good)).status).toBe(
      200,
    );
    expect((await ask(path, '203.0.113.2', undefined, {}, 'POST', headers)).status).toBe(401);
  });

  test.each([
    ['for a deliverable', 'task_deliverable', 10, 'service_auth_failed'],
    ['for a deliverable that is too large to be one', 'task_deliverable', 20_000, 'unauthorized'],
    ['for anything else', 'compliance_report', 10, 'unauthorized'],
  ])(
    'bring no evidence, and a large body is not read to say why: %s',
    async (_name, source_type, size, reason) => {
      app = await openTrustApp();
      const { status, body } = await ask(EVIDENCE, '203.0.113.1', undefined, {
        source_type,
        payload: { text: 'x'.repeat(size) },
      });
      expect([status, body.reason_code]).toEqual([401, reason]);
    },
  );

  test('are counted by the staffing service too, even for administrators', async () => {
    app = await openTrustApp();
    const staffing = await openStaffingApp({ rate_limits: 'on', 'limits.public_posts': '2' });
    try {
      const statuses: number[] = [];
      for (const path of ['/me', '/admin/partners', '/me']) {
        statuses.push((await staffing.anyone.get(path)).status);
      }
      expect(statuses).toEqual([401, 401, 429]);
      expect((await staffing.admin.get('/admin/partners')).status).toBe(200);
    } finally {
      await staffing.close();
    }
  });
});
