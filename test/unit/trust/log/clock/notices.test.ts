import { describe, expect, test } from 'bun:test';
import { ClockWatch } from '../../../../../src/platform/time/clock-watch.ts';
import {
  clockAnnouncement,
  doubtNotice,
  wrongClockProblem,
} from '../../../../../src/trust/log/clock/notices.ts';

const NEWEST = Date.parse('2026-03-01T12:00:00.000Z');

/** A clock that only a test sets. */
function settableClock() {
  const time = { wall: NEWEST + 5 * 86_400_000, monotonic: 0 };
  return { time, clock: { now: () => time.wall, monotonic: () => time.monotonic, sinceBoot: () => null } };
}

describe('of a clock that is right', () => {
  const watch = new ClockWatch(settableClock().clock);

  test('health and the start say nothing', () => {
    expect([wrongClockProblem(watch), doubtNotice(watch)]).toEqual([null, null]);
    expect(clockAnnouncement(watch, './data')).toEqual([]);
  });
});

describe('of a clock that was set', () => {
  test.each([
    ['ahead', 3_600_000, 0, 'it is accepted'],
    ['back', -7_200_000, 2, 'witnesses confirm it'],
  ] as const)('%s, health says by how much, and what ends it', (direction, change, witnesses, way) => {
    const { time, clock } = settableClock();
    const watch = new ClockWatch(clock, { witnesses });
    time.wall += change;
    const problem = wrongClockProblem(watch);
    expect(problem).toContain(`The clock was set ${direction} by ${Math.abs(change) / 1000} seconds`);
    expect(problem).toContain(way);
  });
});

describe('of a start behind the newest data', () => {
  test.each([
    [0, 'it is accepted'],
    [1, 'witnesses confirm it'],
  ])('with %d witnesses, health and the start say by how much, and what ends it', (witnesses, way) => {
    const { time, clock } = settableClock();
    const watch = new ClockWatch(clock, { behind: time.wall + 600_000, witnesses });
    expect(wrongClockProblem(watch)).toContain('The clock is 600 seconds behind the newest data');
    expect(wrongClockProblem(watch)).toContain(way);
    const lines = clockAnnouncement(watch, './data').join('\n');
    expect(lines).toContain('CLOCK: it is 600 seconds behind the newest data');
    expect(lines.includes('witnesses confirm it')).toBe(witnesses > 0);
  });
});

describe('of a start that is in doubt', () => {
  test.each([
    [0, 'the server has run for 24 hours'],
    [1, 'witnesses confirm it'],
  ])('with %d witnesses, health and the start name the newest data and the way out', (witnesses, way) => {
    const watch = new ClockWatch(settableClock().clock, { start: { newest: NEWEST, ranMs: 0 }, witnesses });
    expect(doubtNotice(watch)).toContain('(2026-03-01T12:00:00.000Z)');
    expect(doubtNotice(watch)).toContain(way);
    const lines = clockAnnouncement(watch, './elsewhere').join('\n');
    expect(lines).toContain('(2026-03-01T12:00:00.000Z)');
    expect(lines).toContain(way);
    expect(lines).toContain('countersign clock accept --data ./elsewhere');
  });
});
