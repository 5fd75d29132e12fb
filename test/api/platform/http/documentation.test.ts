import { describe, expect, test } from 'bun:test';
import { openStaffingApp } from '../../../support/staffing-app.ts';
import { openTrustApp } from '../../../support/trust-app.ts';

describe('the documentation', () => {
  const SERVICES = {
    trust: {
      open: openTrustApp,
      codeOf: (body: unknown) => Object(body).reason_code,
      code: 'rate_limit_exceeded',
    },
    staffing: {
      open: openStaffingApp,
      codeOf: (body: unknown) => Object(Object(body).error).code,
      code: 'RATE_LIMITED',
    },
  };

  test.each(Object.entries(SERVICES))(
    'of the %s service is counted with the public reads of an address, in every coding, unchanged, and with a key',
    async (_, { open, codeOf, code }) => {
      const limited = await open({ rate_limits: 'on', 'limits.public_reads': '6' });
      const get = (
        path: string,
        headers: Record<string, string> = {},
        method = 'GET',
        peer = '203.0.113.1',
      ) => limited.fetch(new Request(`http://localhost${path}`, { method, headers }), peer);
      const first = await get('/openapi.json');
      const etag = first.headers.get('etag') ?? '';
      const responses = [
        first,
        await get('/openapi.json', { 'accept-encoding': 'gzip' }),
        await get('/openapi.json', { 'if-none-match': etag }),
        await get('/openapi.json', {}, 'HEAD'),
        await get('/swagger'),
        await get('/swagger/swagger-ui-bundle.js', { 'accept-encoding': 'br' }),
      ];
      expect(
        responses.map(({ status, headers }) => [status, headers.get('ratelimit')?.split(';t=')[0]]),
      ).toEqual([200, 200, 304, 200, 200, 200].map((status, at) => [status, `"public-reads";r=${5 - at}`]));
      const key = 'apiKey' in limited ? limited.apiKey : limited.ownKey;
      for (const headers of [{}, { 'if-none-match': etag }, { authorization: `Bearer ${key}` }]) {
        const refused = await get('/openapi.json', { ...headers, 'x-request-id': 'mine' });
        expect([refused.status, codeOf(await refused.json())]).toEqual([429, code]);
        expect(Number(refused.headers.get('retry-after'))).toBeWithin(1, 61);
        expect(refused.headers.get('ratelimit-policy')).toBe('"public-reads";q=6;w=60');
        expect(refused.headers.get('x-request-id')).not.toBeNull();
      }
      expect((await get('/api/health')).status).toBe(200);
      expect((await get('/openapi.json', {}, 'GET', '203.0.113.2')).status).toBe(200);
      expect(limited.logged()).not.toContain('request failed');
      await limited.close();
    },
    20_000,
  );
});
