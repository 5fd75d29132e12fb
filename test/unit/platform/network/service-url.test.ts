import { expect, test } from 'bun:test';
import { serviceUrl } from '../../../../src/platform/network/service-url.ts';

test.each(['https://trust.example', 'http://127.0.0.1:3000', 'http://localhost/a', 'http://[::1]:3000'])(
  '%s is the URL of a service',
  (text) => expect(serviceUrl(text, 'API keys')).toBe(new URL(text).href),
);

test.each([
  ['trust.example', 'an https URL'],
  ['ftp://trust.example', 'an https URL'],
  ['https://', 'an https URL'],
  ['http://trust.example', 'API keys from trust.example cannot be authenticated over http'],
  ['https://ada:secret@trust.example', 'no user name, password'],
  ['https://trust.example@evil.example', 'no user name, password'],
  ['https://trust.example/?tenant=a', 'no user name, password, query'],
  ['https://trust.example/#a', 'no user name, password, query or fragment'],
  ['http://127.0.0.1.evil.example', 'cannot be authenticated over http'],
])('%s is refused', (text, message) => expect(() => serviceUrl(text, 'API keys')).toThrow(message));

test('http to another machine is a wrong value of a command', () =>
  expect(() => serviceUrl('http://trust.example', 'API keys')).toThrow(
    expect.objectContaining({ exitCode: 2 }),
  ));
