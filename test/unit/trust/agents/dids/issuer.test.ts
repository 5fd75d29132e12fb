import { describe, expect, test } from 'bun:test';
import { webDidOf } from '../../../../../src/trust/log/keys/signing/issuer.ts';

describe('the did:web of a service', () => {
  test.each([
    ['https://trust.example', 'did:web:trust.example'],
    ['https://trust.example:443', 'did:web:trust.example'],
    ['https://trust.example:8443', 'did:web:trust.example%3A8443'],
    ['https://TRUST.example', 'did:web:trust.example'],
    ['https://trust.example/agents', null],
    ['http://trust.example', null],
    ['https://localhost:3000', null],
    ['https://192.0.2.7', null],
    ['https://[2001:db8::1]:3000', null],
    [null, null],
  ])('for %p is %p', (url, did) => {
    expect(webDidOf(url)).toBe(did);
  });
});
