import { afterAll, beforeAll, expect, test } from 'bun:test';
import { PLAIN, verifyPage } from '../../../../../src/platform/verify-page/page.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';

let app: TrustApp;
beforeAll(async () => {
  app = await openTrustApp();
});
afterAll(() => app.close());

const at = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  app.fetch(new Request(`http://localhost${path}`, { headers }));

test('/verify says first that it comes from the service that it judges, and may read from it only', async () => {
  const response = await at('/verify?document=/api/v1/receipts/x/bundle');
  const text = await response.text();
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(
    /^default-src 'none'; script-src 'sha256-\S+'; style-src 'sha256-\S+'; worker-src blob:; connect-src 'self'; /,
  );
  expect(policy).toEndWith("frame-ancestors 'none'");
  const [, body = ''] = text.split('<body>');
  expect(body.trimStart()).toStartWith(
    '<p class="served" role="note">This page comes from the service that it judges.',
  );
  expect(text).not.toContain('never connects');
});

test('/verify.html is the file of `verify --page`, byte for byte, and cannot connect', async () => {
  const response = await at('/verify.html');
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(await response.text()).toBe(verifyPage(PLAIN));
  expect([policy.includes('connect-src'), response.headers.get('content-disposition')]).toEqual([
    false,
    'attachment; filename="verify.html"',
  ]);
});

test('both are compressed, and not sent again to who has them', async () => {
  const first = await at('/verify', { 'accept-encoding': 'gzip' });
  const etag = first.headers.get('etag') ?? '';
  expect([first.headers.get('content-encoding'), (await first.bytes()).length < 150_000]).toEqual([
    'gzip',
    true,
  ]);
  expect((await at('/verify', { 'if-none-match': etag })).status).toBe(304);
});

test('both count as public reads, also for who has them', async () => {
  const limited = await openTrustApp({ rate_limits: 'on', 'limits.public_reads': '3' });
  const get = (path: string, headers = {}) =>
    limited.fetch(new Request(`http://localhost${path}`, { headers }));
  const first = await get('/verify');
  expect([first.status, first.headers.get('ratelimit-policy')]).toEqual([
    200,
    expect.stringContaining('public-reads'),
  ]);
  const again = await get('/verify', { 'if-none-match': first.headers.get('etag') ?? '' });
  expect([again.status, again.headers.has('ratelimit-policy')]).toEqual([304, true]);
  expect((await get('/verify.html')).status).toBe(200);
  for (const path of ['/verify', '/verify.html', '/swagger']) {
    const refused = await get(path);
    expect([path, refused.status, refused.headers.has('retry-after')]).toEqual([path, 429, true]);
  }
  await limited.close();
});

test('neither is an operation of the API', async () => {
  const document = await (await at('/openapi.json')).text();
  expect(document).not.toContain('"/verify');
});
