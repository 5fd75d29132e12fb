import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { App } from '../../../../src/platform/http/app.ts';
import { openStaffingApp, type StaffingApp } from '../../../support/staffing-app.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

const PEER = '203.0.113.7';

/** Returns who pays for a request, as a listener asks before any work. */
function payerOf(app: App, path: string, key: string | null, more: Record<string, string> = {}) {
  const headers = key === null ? more : { authorization: `Bearer ${key}`, ...more };
  return app.payerOf(new Request(`http://localhost${path}`, { headers }), PEER);
}

describe('the trust service', () => {
  let app: TrustApp;
  let listening: App;
  beforeAll(async () => {
    app = await openTrustApp({ trusted_proxies: '198.51.100.1' });
    listening = app.service.app('/');
  });
  afterAll(() => app.close());

  const STATUS = '/api/v1/operator/status';

  test('serves a request in the turn of its address until its key was accepted, then of its operator', async () => {
    const strangerWith = (key: string) => ({ ...stranger, key: `Bearer ${key}` });
    const stranger = { id: `address ${PEER}`, key: '', isFree: false, isStranger: true };
    expect(payerOf(listening, STATUS, app.otherKey)).toEqual(strangerWith(app.otherKey));
    expect(payerOf(listening, STATUS, null)).toEqual(stranger);
    await app.other.get(STATUS);
    await app.own.get(STATUS);
    const payers = [app.apiKey, app.otherKey].map((key) => payerOf(listening, STATUS, key)?.id);
    expect(payers).toEqual(['operator 1', 'operator 2']);
    const made = `pp_${'0'.repeat(64)}`;
    expect(payerOf(listening, STATUS, made)).toEqual(strangerWith(made));
  });

  test('verifies a key that it does not know where the address has too many, and no other', async () => {
    const { body } = await app.own.post('/api/v1/operator/api-keys', { name: 'new' });
    const verified = (authorization: string | null) =>
      listening.verifiedPayerOf(
        new Request(
          `http://localhost${STATUS}`,
          authorization === null ? {} : { headers: { authorization } },
        ),
      );
    expect((await verified(`Bearer ${body.api_key}`))?.id).toBe('operator 1');
    // It is known from now on.
    expect(payerOf(listening, STATUS, String(body.api_key))?.id).toBe('operator 1');
    for (const other of [null, `Bearer pp_${'0'.repeat(64)}`, 'Bearer x', `Bearer ${body.api_key}`])
      expect(await verified(other)).toBeNull();
  });

  test('has operators to whom the quota of FREE applies in one turn, and not those of the administrator', async () => {
    const { store, principals } = app.service.trust;
    const isFree = () => payerOf(listening, STATUS, app.otherKey)?.isFree;
    await app.other.get(STATUS);
    expect(isFree()).toBe(false);
    await store.writeAsService(async (tx) => {
      tx.connection.sqlite.run('UPDATE operator SET self_provisioned = 1 WHERE operator_seq = 2');
      principals.changedIn(tx);
    });
    await app.other.get(STATUS);
    expect(isFree()).toBe(true);
  });

  test('gives keys of an operator turns of their own inside the one of their operator', async () => {
    const { body } = await app.own.post('/api/v1/operator/api-keys', { name: 'second' });
    const second = String(body.api_key);
    const headers = { authorization: `Bearer ${second}` };
    await app.fetch(new Request(`http://localhost${STATUS}`, { headers }));
    const [one, other] = [app.apiKey, second].map((key) => payerOf(listening, STATUS, key));
    expect(other?.id).toBe(String(one?.id));
    expect(other?.key).not.toBe(String(one?.key));
  });

  test('sorts a key that was deleted to its address once it was refused', async () => {
    const { body } = await app.own.post('/api/v1/operator/api-keys', { name: 'short-lived' });
    const request = () =>
      new Request(`http://localhost${STATUS}`, { headers: { authorization: `Bearer ${body.api_key}` } });
    expect((await app.fetch(request())).status).toBe(200);
    expect(listening.payerOf(request(), PEER)?.id).toBe('operator 1');
    await app.own.call('DELETE', `/api/v1/operator/api-keys/${body.keyHash}`);
    expect((await app.fetch(request())).status).toBe(401);
    expect(listening.payerOf(request(), PEER)?.id).toBe(`address ${PEER}`);
  });

  test('counts the addresses that a proxy names only if it is trusted, and a /64 as one', () => {
    const forwarded = { 'x-forwarded-for': '192.0.2.1' };
    expect(payerOf(listening, '/', null, forwarded)?.id).toBe(`address ${PEER}`);
    const at = (peer: string) =>
      listening.payerOf(new Request('http://localhost/', { headers: forwarded }), peer)?.id;
    expect(at('198.51.100.1')).toBe('address 192.0.2.1');
    expect(at('2001:db8:1:2:3::1')).toBe(String(at('2001:db8:1:2:4::9')));
    expect(at('2001:db8:1:3::1')).not.toBe(String(at('2001:db8:1:2::1')));
    const networkAt = (peer: string) => listening.payerOf(new Request('http://localhost/'), peer).network;
    expect(['2001:db8:1:3::1', '2001:db8:1:2::1', '2001:db8:2::1', PEER].map(networkAt)).toEqual([
      '2001:db8:1::/48',
      '2001:db8:1::/48',
      '2001:db8:2::/48',
      undefined,
    ]);
  });

  test('lets nobody wait who asks for its health, and nobody else by words in a URL', () => {
    const asking = {
      id: `health address ${PEER}`,
      key: '',
      isFree: false,
      isStranger: true,
      asksHealth: true,
    };
    expect(payerOf(listening, '/api/health', null)).toEqual(asking);
    expect(payerOf(listening, '/api/health?a=b', app.apiKey)).toEqual(asking);
    for (const path of ['/?/api/health', '/x/api/health', '/api/healthy', '/api/health/x', '//api/health'])
      expect([path, payerOf(listening, path, null)?.id]).toEqual([path, `address ${PEER}`]);
  });

  test('says with 429 that a payer has too many that wait', async () => {
    const response = listening.busy(new Request(`http://localhost${STATUS}`));
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '1']);
    expect(await response.json()).toMatchObject({
      reason_code: 'rate_limit_exceeded',
      error: expect.stringContaining('are waiting while others wait too'),
    });
  });
});

describe('the staffing service', () => {
  let app: StaffingApp;
  let listening: App;
  beforeAll(async () => {
    app = await openStaffingApp();
    listening = app.service.app('/');
  });
  afterAll(() => app.close());

  test('has the free keys of the sandbox in one turn, a live key and the administrator in others', async () => {
    const path = '/api/staffing/partner/v1/clinicians/search';
    await app.own.get('/clinicians/search?state=TX');
    await app.live.get('/clinicians/search?state=TX');
    await app.admin.get('/admin/partners');
    const of = (key: string | null) => payerOf(listening, path, key);
    expect([of(app.ownKey)?.isFree, of(app.live.key)?.isFree]).toEqual([true, false]);
    expect(of(app.ownKey)?.id).not.toBe(String(of(app.live.key)?.id));
    expect(of(app.admin.key)?.id).toBe('administrator');
    expect(of(`mpk_test_${'0'.repeat(64)}`)?.id).toBe(`address ${PEER}`);
    expect(payerOf(listening, '/api/health', null)?.asksHealth).toBe(true);
  });

  test('verifies keys and the token of the administrator that it does not know', async () => {
    const again = await openStaffingApp();
    const of = (key: string | null) =>
      again.service
        .app('/')
        .verifiedPayerOf(new Request('http://localhost/', { headers: { authorization: `Bearer ${key}` } }));
    expect((await of(again.ownKey))?.isFree).toBe(true);
    expect((await of(again.admin.key))?.id).toBe('administrator');
    for (const key of [`mpk_test_${'0'.repeat(64)}`, `adm_${'0'.repeat(64)}`])
      expect(await of(key)).toBeNull();
    await again.close();
  });
});
