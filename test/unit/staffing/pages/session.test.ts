import { expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import { Cursors } from '../../../../src/platform/http/pagination/cursor.ts';
import { SESSION_COOKIE } from '../../../../src/staffing/accounts/keys/session-cookie.ts';
import { SESSION_SECONDS, Sessions } from '../../../../src/staffing/pages/session.ts';
import { VirtualTime } from '../../../support/virtual-time.ts';

const cursors = new Cursors(randomBytes(32));
const HASH = 'ab'.repeat(32);
const asking = (value: string): Request =>
  new Request('http://localhost/', { headers: { cookie: `other=1; ${SESSION_COOKIE}=${value}` } });

test('a session lasts eight hours, and reveals nothing of its key', () => {
  const clock = new VirtualTime();
  const sessions = new Sessions({ cursors, clock }, true);
  const { value, ...attributes } = sessions.cookieOf(HASH);
  expect(attributes).toEqual({ maxAge: 28_800, httpOnly: true, sameSite: 'strict', secure: true, path: '/' });
  expect(Buffer.from(value, 'base64url').toString('latin1')).not.toContain(HASH.slice(0, 16));
  expect(sessions.keyHashOf(asking(value))).toBe(HASH);
  clock.advance((SESSION_SECONDS - 1) * 1000);
  expect(sessions.keyHashOf(asking(value))).toBe(HASH);
  clock.advance(1000);
  expect(sessions.keyHashOf(asking(value))).toBe('ended');
});

test('nobody can make or change a session, and no cursor of a list is one', () => {
  const clock = new VirtualTime();
  const sessions = new Sessions({ cursors, clock }, false);
  const { value } = sessions.cookieOf(HASH);
  const list = { name: 'keys', position: Type.Tuple([Type.String(), Type.Integer()]) };
  const foreign = [
    `${value.slice(0, -1)}${value.endsWith('A') ? 'B' : 'A'}`,
    value.slice(1),
    `${value}=`,
    'x'.repeat(5000),
    cursors.of(list, []).write([HASH, 4_000_000_000]),
    new Sessions({ cursors: new Cursors(randomBytes(32)), clock }, false).cookieOf(HASH).value,
  ];
  for (const other of foreign) expect([other, sessions.keyHashOf(asking(other))]).toEqual([other, 'ended']);
  expect(cursors.of(list, []).read(value)).toBeNull();
});

test('without a cookie there is no session, and the cookie that ends one is empty and over', () => {
  const sessions = new Sessions({ cursors, clock: new VirtualTime() }, false);
  expect(sessions.keyHashOf(new Request('http://localhost/'))).toBeNull();
  expect(sessions.keyHashOf(asking(''))).toBeNull();
  expect(sessions.cookieOf(null)).toMatchObject({ value: '', maxAge: 0, secure: false });
});
