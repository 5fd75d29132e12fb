import { describe, expect, test } from 'bun:test';
import { nextAddress } from '../../../../../src/trust/pages/account/next-address.ts';

const FOLDERS = new Set(['', 'receipts', 'logs', 'search', 'clusters']);

describe('the address that a login leads to', () => {
  test.each([
    '/',
    '/?utm_source=mail',
    '/account',
    '/account/keys',
    '/account/webhooks/wh_1/deliveries',
    '/receipts/rcpt_00000000000000000000000000000001',
    '/logs/receipts?index=3',
    '/search?q=a%20b%2Fc',
    '/search?q=https://evil.example/',
    '/clusters/hall%2F7',
    `/search?q=${'%F0%9F%98%80'.repeat(300)}`,
  ])('is the page %s of this service', (address) => {
    expect(nextAddress(address, FOLDERS)).toBe(address);
  });

  test.each([
    '',
    'logs',
    'https://evil.example/logs',
    'http://service.invalid/logs',
    'javascript:alert(1)',
    'data:text/html,x',
    '//evil.example',
    '//evil.example/logs',
    '///evil.example/logs',
    '/\\evil.example/logs',
    '\\\\evil.example/logs',
    '/\t/evil.example/logs',
    '/\n/evil.example',
    '\t//evil.example',
    ' //evil.example',
    '/logs\r\nSet-Cookie: session_token=1',
    '/logs\u0000',
    '/logs/../..//evil.example',
    '/logs/..//evil.example',
    '/logs/%2e%2e//evil.example',
    '/.//evil.example',
    '/@evil.example',
    '/logs#@evil.example',
    '/logs@evil.example',
    '/logs/"><script>alert(1)</script>',
    '/api/v1/leaderboard',
    '/swagger',
    '/account/../api/health',
    '/account//evil.example',
    '/account?next=//evil.example',
    '/account\n',
    '/LOGS',
    '/logs\u3002evil.example',
    '/\uff0fevil.example',
    `/logs?x=${'a'.repeat(4_000)}`,
  ])('is never %j', (address) => {
    expect(nextAddress(address, FOLDERS)).toBeNull();
  });

  test('is no page of an explorer that the service does not have', () => {
    const none = new Set<string>();
    expect(['/', '/logs', '/account/keys'].map((address) => nextAddress(address, none))).toEqual([
      null,
      null,
      '/account/keys',
    ]);
  });
});
