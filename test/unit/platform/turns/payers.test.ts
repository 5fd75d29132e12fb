import { expect, test } from 'bun:test';
import { KnownPayers, type Payer } from '../../../../src/platform/turns/payers.ts';

const payer = (id: string): Payer => ({ id, key: 'k', isFree: false });
const requestWith = (headers: Record<string, string>): Request => new Request('http://x/', { headers });
const keyed = (key: string): Request => requestWith({ authorization: `Bearer ${key}` });

const inSession = (cookie: string, more: Record<string, string> = {}): Request =>
  requestWith({ cookie, ...more });

function known() {
  const payers = new KnownPayers('session_token');
  return {
    payers,
    accept: (request: Request, of: Payer) => payers.accepted(payers.credentialOf(request), of),
  };
}

test('a credential has a payer once it was accepted, and none after it was refused', () => {
  const { payers, accept } = known();
  expect(payers.of(keyed('a'))).toBeNull();
  accept(keyed('a'), payer('one'));
  expect(payers.of(keyed('a'))).toEqual(payer('one'));
  expect([payers.of(keyed('A')), payers.of(requestWith({}))]).toEqual([null, null]);
  payers.refused(payers.credentialOf(keyed('a')));
  payers.refused(payers.credentialOf(requestWith({})));
  expect(payers.of(keyed('a'))).toBeNull();
});

test('a key goes before a session, as in the authentication, and other cookies do not count', () => {
  const { payers, accept } = known();
  accept(inSession('session_token=s'), payer('by cookie'));
  const others = `a=b; session_token=s; c=${'d'.repeat(1000)}`;
  expect(payers.of(inSession(others))?.id).toBe('by cookie');
  expect(payers.of(inSession('session_token=s', { authorization: 'Bearer x' }))).toBeNull();
  expect(payers.credentialOf(inSession('other=s'))).toBeNull();
  expect(new KnownPayers().credentialOf(inSession('session_token=s'))).toBeNull();
});

test('an operator that changes to another plan is known with it', () => {
  const { payers, accept } = known();
  accept(keyed('a'), { ...payer('one'), isFree: true });
  accept(keyed('a'), payer('one'));
  expect(payers.of(keyed('a'))?.isFree).toBe(false);
});

test('credentials without end take no memory without end, and the oldest is forgotten first', () => {
  const { payers, accept } = known();
  for (let at = 0; at < 10_001; at++) accept(keyed(String(at)), payer('one'));
  const ids = ['0', '1', '10000'].map((key) => payers.of(keyed(key))?.id);
  expect(ids).toEqual([undefined, 'one', 'one']);
  const long = keyed('x'.repeat(600));
  accept(long, payer('one'));
  expect(payers.of(long)).toBeNull();
});
