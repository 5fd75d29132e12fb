import { expect, test } from 'bun:test';
import { type ClockStart, startTime, TestClock } from '../../../../src/platform/test-service/clock.ts';
import { parseClockStart, parseDuration } from '../../../../src/platform/test-service/times.ts';
import { signatureTime } from '../../../../src/platform/time/clock.ts';
import { ClockWatch } from '../../../../src/platform/time/clock-watch.ts';
import { VirtualTime } from '../../../support/virtual-time.ts';

const NEW_YEAR = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;

test('a clock that stands has the time of its start until it is advanced', () => {
  const machine = new VirtualTime(NEW_YEAR + 9 * HOUR);
  const clock = new TestClock(NEW_YEAR - HOUR, { kind: 'stands', at: NEW_YEAR }, machine);
  expect(clock.now()).toBe(NEW_YEAR - HOUR);
  clock.begin();
  machine.advance(HOUR);
  expect([clock.now(), clock.isRunning]).toEqual([NEW_YEAR, false]);
  clock.advanceTo(NEW_YEAR + 72 * HOUR);
  clock.advanceTo(NEW_YEAR);
  expect(clock.now()).toBe(NEW_YEAR + 72 * HOUR);
});

test('a clock that runs is ahead of the machine, and goes on from where it was advanced to', () => {
  const machine = new VirtualTime(NEW_YEAR);
  const start = { kind: 'runs', aheadMs: 72 * HOUR } as const;
  const clock = new TestClock(startTime(start, machine), start, machine);
  clock.begin();
  machine.advance(HOUR);
  expect([clock.now(), clock.isRunning]).toEqual([NEW_YEAR + 73 * HOUR, true]);
  clock.advanceTo(NEW_YEAR + 100 * HOUR);
  machine.advance(HOUR);
  expect(clock.now()).toBe(NEW_YEAR + 101 * HOUR);
});

test('a clock that runs does not follow a machine whose clock is set', () => {
  const machine = new VirtualTime(NEW_YEAR);
  const clock = new TestClock(NEW_YEAR, { kind: 'runs', aheadMs: 0 }, machine);
  clock.begin();
  machine.jump(-HOUR);
  machine.advance(1000);
  expect(clock.now()).toBe(NEW_YEAR + 1000);
});

test('an advance is no jump of the clock, and signatures between machines have the time of the machine', () => {
  const machine = new VirtualTime(NEW_YEAR);
  const clock = new TestClock(0, { kind: 'stands', at: NEW_YEAR }, machine);
  const watch = new ClockWatch(clock);
  clock.begin();
  clock.advanceTo(NEW_YEAR + 1000 * HOUR);
  expect([watch.look(), watch.isInDoubt]).toEqual([null, false]);
  expect(signatureTime(clock)).toBe(NEW_YEAR);
});

test.each([
  ['72h', 72 * HOUR],
  ['1d12h', 36 * HOUR],
  ['1h30m', 1.5 * HOUR],
  ['90s', 90_000],
  ['0s', 0],
  ['', null],
  ['h', null],
  ['72', null],
  ['-1h', null],
  ['1h1d', null],
  ['1.5h', null],
  ['1e9h', null],
  ['9999999999d', null],
  [' 1h', null],
  ['1h\n', null],
])('the duration %p has %p milliseconds', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

const STARTS: [string, ClockStart | null][] = [
  ['2026-01-01T00:00:00Z', { kind: 'stands', at: NEW_YEAR }],
  ['+72h', { kind: 'runs', aheadMs: 72 * HOUR }],
  ['+0s', { kind: 'runs', aheadMs: 0 }],
  ['72h', null],
  ['+', null],
  ['-72h', null],
  ['+40000d', null],
  ['1999-12-31T23:59:59Z', null],
  ['2100-01-01T00:00:00Z', null],
  ['2026-02-30T00:00:00Z', null],
  ['tomorrow', null],
];

test.each(STARTS)('a clock that starts at %p is %p', (text, start) => {
  expect(parseClockStart(text)).toEqual(start);
});
