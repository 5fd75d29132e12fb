import { expect, test } from 'bun:test';
import { isCrossOrigin } from '../../../../../src/platform/http/request/same-origin.ts';

const asked = (headers: Record<string, string>, own: string | null = 'https://trust.example') =>
  isCrossOrigin(new Request('http://10.0.0.7:3000/account/login', { method: 'POST', headers }), own);

test('Sec-Fetch-Site decides where it is sent', () => {
  expect(asked({ 'sec-fetch-site': 'same-origin' })).toBe(false);
  expect(asked({ 'sec-fetch-site': 'none' })).toBe(false);
  for (const site of ['cross-site', 'same-site', 'unknown', '']) {
    expect([site, asked({ 'sec-fetch-site': site, origin: 'https://trust.example' })]).toEqual([site, true]);
  }
});

test('older browsers send Origin, which is the host of the request or of the URL of the service', () => {
  expect(asked({ origin: 'http://10.0.0.7:3000' })).toBe(false);
  expect(asked({ origin: 'https://trust.example' })).toBe(false);
  expect(asked({ origin: 'https://trust.example' }, null)).toBe(true);
  for (const origin of [
    'https://evil.example',
    'https://trust.example.evil.example',
    'null',
    '',
    'http://10.0.0.7',
  ]) {
    expect([origin, asked({ origin })]).toEqual([origin, true]);
  }
});

test('a program without either is no browser', () => {
  expect(asked({})).toBe(false);
});
