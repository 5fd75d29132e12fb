import { expect, test } from 'bun:test';
import { BlockList } from 'node:net';
import { Elysia } from 'elysia';
import pino from 'pino';
import { createApp } from '../../../../src/platform/http/app.ts';
import { Refusal } from '../../../../src/platform/http/errors/errors.ts';
import { RateLimiter } from '../../../../src/platform/http/request/rate-limits.ts';
import { Overloaded, StorageUnavailable } from '../../../../src/platform/store/errors.ts';
import { trustDialect } from '../../../../src/trust/http/dialect.ts';
import { commonErrors } from '../../../../src/trust/http/errors.ts';

/**
 * What a handler throws, and the status and the log line of its response: level, message, whether it has a
 * stack.
 */
const THROWN: [name: string, error: Error, status: number, line: [number, string, boolean] | null][] = [
  [
    'a function that is not configured',
    commonErrors.not_configured({ isExpected: true }),
    503,
    [30, 'request refused', false],
  ],
  [
    'a body that arrives too late',
    new Refusal('overloaded', { isExpected: true }),
    503,
    [30, 'request refused', false],
  ],
  ['an overload', new Overloaded('too many writes are waiting'), 503, [40, 'request failed', false]],
  ['a full disk', new StorageUnavailable('the disk is full'), 503, [50, 'request failed', true]],
  ['a function that failed', commonErrors.not_configured(), 503, [50, 'request failed', true]],
  ['an error of the program', new TypeError('x is undefined'), 500, [50, 'request failed', true]],
  ['a wrong request', new Refusal('invalid'), 400, null],
];

test.each(THROWN)('%s is logged by who causes it', async (_, error, expected, line) => {
  const lines: string[] = [];
  const { fetch } = createApp({
    dialect: trustDialect,
    log: pino({ level: 'info' }, { write: (text: string) => void lines.push(text) }),
    limits: new RateLimiter({ on: false, trustedProxies: new BlockList() }),
    routes: [
      new Elysia().get('/', () => {
        throw error;
      }),
    ],
  });
  const { status } = await fetch(new Request('http://localhost/'));
  const logged: unknown[] = lines.map((text) => {
    const { level, msg, err } = JSON.parse(text);
    return [level, msg, typeof err?.stack === 'string'];
  });
  expect([status, logged]).toEqual([expected, line === null ? [] : [line]]);
});
