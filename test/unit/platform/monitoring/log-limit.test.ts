import { describe, expect, test } from 'bun:test';
import pino from 'pino';
import { LimitedLog, placeOf } from '../../../../src/platform/monitoring/log-limit.ts';
import { eventually } from '../../../support/virtual-time.ts';

/** A log with windows of 20 ms, and its lines. */
function logging() {
  const lines: Record<string, unknown>[] = [];
  const options = { base: null, timestamp: false, formatters: { level: (level: string) => ({ level }) } };
  const log = pino(options, { write: (text: string) => void lines.push(JSON.parse(text)) });
  return { lines, log: new LimitedLog(log, 20) };
}

const line = (n: number) => ({ level: 'warn' as const, fields: { n }, message: 'request failed' });

describe('an error that clients can cause at any rate', () => {
  test('is logged once at once, then once a window with the number of lines that were left out', async () => {
    const { lines, log } = logging();
    for (let n = 0; n < 3000; n++) log.write('late', line(n));
    expect(lines).toEqual([{ level: 'warn', n: 0, msg: 'request failed' }]);
    await eventually(() => lines.length > 1);
    expect(lines[1]).toEqual({ level: 'warn', n: 2999, left_out: 2998, msg: 'request failed' });
    await Bun.sleep(60);
    expect(lines).toHaveLength(2);
    log.write('late', line(1));
    expect(lines).toHaveLength(3);
  });

  test('hides no other cause, and causes without end share a line', () => {
    const { lines, log } = logging();
    for (let n = 0; n < 5000; n++) log.write(`cause ${n}`, line(n));
    expect(lines).toHaveLength(101);
    log.write('cause 7', line(1));
    expect(lines).toHaveLength(101);
  });
});

test('the position of an error in the code distinguishes causes, its message does not', () => {
  const [a, b] = ['a', 'b'].map((message) => new TypeError(message));
  expect(placeOf(a)).toBe(placeOf(b));
  expect(placeOf(a)).toMatch(/^TypeError at .*log-limit\.test/);
  expect(placeOf(a)).not.toBe(placeOf(new TypeError('a')));
  expect(placeOf('text')).toBe('string');
});
