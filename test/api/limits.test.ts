import { afterEach, describe, expect, test } from 'bun:test';
import { openTrustApp, type TrustApp } from '../support/trust-app.ts';

let app: TrustApp;
afterEach(() => app.close());

const MANIFEST = '/api/v1/receipts/x/public-manifest';
const GATE = { operator_id: 'x', domain: 'CODE_GENERATION' };

async function ask(path: string, peer: string, forwarded?: string, body?: unknown) {
  const init: RequestInit = {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json' },
  };
  if (body !== undefined) init.body = typeof body === 'string' ? body : JSON.stringify(body);
  const request = new Request(`http://localhost${path}`, init);
  if (forwarded !== undefined) request.headers.set('x-forwarded-for', forwarded);
  const response = await app.fetch(request, peer);
  const answer: Record<string, unknown> = JSON.parse(await response.text());
  return { status: response.status, headers: response.headers, body: answer };
}

describe('limits of an address', () => {
  test('60 public reads a minute and 30 gate checks, each said in the headers', async () => {
    app = await openTrustApp({ rate_limits: 'on' });
    for (let turn = 1; turn <= 60; turn++) {
      const { status, headers } = await ask(MANIFEST, '203.0.113.1');
      expect([status, headers.get('ratelimit')]).toEqual([404, `"public-reads";r=${60 - turn};t=60`]);
      expect(headers.get('ratelimit-policy')).toBe('"public-reads";q=60;w=60');
    }
    const refused = await ask(MANIFEST, '203.0.113.1');
    expect([refused.status, refused.body.reason_code]).toEqual([429, 'rate_limit_exceeded']);
    expect(Number(refused.headers.get('retry-after'))).toBeWithin(1, 61);
    expect(refused.headers.get('access-control-allow-origin')).toBe('*');
    // Counted before the body is read: what is no JSON counts, and is refused like the rest.
    for (let turn = 1; turn <= 30; turn++) {
      const { status } = await ask('/api/v1/gate/verify', '203.0.113.1', undefined, turn % 2 ? GATE : '{');
      expect(status).toBe(turn % 2 ? 200 : 400);
    }
    expect((await ask('/api/v1/gate/verify', '203.0.113.1', undefined, '{')).status).toBe(429);
    expect((await ask(MANIFEST, '203.0.113.2')).status).toBe(404);
    expect((await ask('/api/health', '203.0.113.1')).headers.get('ratelimit')).toBeNull();
    expect((await app.own.issue()).status).toBe(201);
  });

  test('a forged X-Forwarded-For of anyone but a trusted proxy changes nothing', async () => {
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

  test('off: nobody is counted', async () => {
    app = await openTrustApp({ rate_limits: 'off', 'limits.public_reads': '1' });
    for (let turn = 0; turn < 5; turn++) {
      const { status, headers } = await ask(MANIFEST, '203.0.113.1');
      expect([status, headers.get('ratelimit')]).toEqual([404, null]);
    }
  });
});
