import { expect, test } from 'bun:test';
import { KnownPayers, type Payer } from '../../../../src/platform/turns/payers.ts';

const payer = (id: string): Payer => ({ id, key: 'k', isFree: false });
const requestWith = (headers: Record<string, string>): Request => new Request('http://x/', { headers });
const keyed = (key: string): Request => requestWith({ authorization: `Bearer ${key}` });

test('a credential has a payer once it was accepted, and none after it was refused', () => {
  const payers = new KnownPayers();
  expect(payers.of(keyed('a'))).toBeNull();
  payers.accepted(keyed('a'), payer('one'));
  expect(payers.of(keyed('a'))).toEqual(payer('one'));
  expect([payers.of(keyed('A')), payers.of(requestWith({}))]).toEqual([null, null]);
  payers.refused(keyed('a'));
  expect(payers.of(keyed('a'))).toBeNull();
});

test('a key goes before a cookie, as in the authentication', () => {
  const payers = new KnownPayers();
  payers.accepted(requestWith({ cookie: 'session_token=s' }), payer('by cookie'));
  expect(payers.of(requestWith({ cookie: 'session_token=s' }))?.id).toBe('by cookie');
  expect(payers.of(requestWith({ cookie: 'session_token=s', authorization: 'Bearer x' }))).toBeNull();
});

test('an operator that changes to another plan is known with it', () => {
  const payers = new KnownPayers();
  payers.accepted(keyed('a'), { ...payer('one'), isFree: true });
  payers.accepted(keyed('a'), payer('one'));
  expect(payers.of(keyed('a'))?.isFree).toBe(false);
});

test('credentials without end take no memory without end', () => {
  const payers = new KnownPayers();
  for (let at = 0; at < 10_001; at++) payers.accepted(keyed(String(at)), payer('one'));
  expect([payers.of(keyed('0')), payers.of(keyed('10000'))?.id]).toEqual([null, 'one']);
  const long = requestWith({ cookie: `session_token=s; ${'x'.repeat(600)}` });
  payers.accepted(long, payer('one'));
  expect(payers.of(long)).toBeNull();
});
