import { expect, test } from 'bun:test';
import { unlessAhead } from '../../../../src/platform/scheduler.ts';
import { ClockWatch } from '../../../../src/platform/time/clock-watch.ts';
import { VirtualTime } from '../../../support/virtual-time.ts';

const TEN_YEARS = 10 * 365 * 86_400_000;

test('any number of small steps of the clock is accepted', () => {
  const time = new VirtualTime();
  const watch = new ClockWatch(time);
  for (let step = 0; step < 100; step++) {
    time.advance(1000);
    time.jump(step % 3 === 0 ? -40_000 : 59_000);
    expect(watch.look()).toBeNull();
  }
});

test.each([TEN_YEARS, -TEN_YEARS, 61_000, -61_000])(
  'a clock that was set by %d ms is told until it is back',
  (jump) => {
    const time = new VirtualTime();
    const watch = new ClockWatch(time);
    time.jump(jump);
    expect(watch.look()).toBe(jump);
    time.advance(3_599_999);
    expect(watch.look()).toBe(jump);
    time.jump(-jump);
    expect(watch.look()).toBeNull();
  },
);

test('the new time of a clock is accepted after an hour, which restarts when it is set again', () => {
  const time = new VirtualTime();
  const watch = new ClockWatch(time);
  time.jump(TEN_YEARS);
  watch.look();
  time.advance(3_000_000);
  time.jump(-TEN_YEARS / 2);
  expect(watch.look()).toBe(TEN_YEARS / 2);
  time.advance(3_599_999);
  expect(watch.look()).toBe(TEN_YEARS / 2);
  time.advance(1);
  expect(watch.look()).toBeNull();
  time.jump(-TEN_YEARS / 2);
  expect(watch.look()).toBe(-TEN_YEARS / 2);
});

test('tasks that delete by date wait while the wall clock is known to be ahead, not while it is behind', async () => {
  const time = new VirtualTime();
  const watch = new ClockWatch(time);
  let runs = 0;
  const [job] = unlessAhead(watch, [{ name: 'forget', everyMs: 1000, run: async () => void runs++ }]);
  const runsAfter = async (jump: number): Promise<number> => {
    time.jump(jump);
    await job?.run();
    return runs;
  };
  expect([job?.name, job?.everyMs]).toEqual(['forget', 1000]);
  expect(await runsAfter(0)).toBe(1);
  expect(await runsAfter(TEN_YEARS)).toBe(1);
  expect(await runsAfter(-2 * TEN_YEARS)).toBe(2);
  expect(await runsAfter(TEN_YEARS)).toBe(3);
  await runsAfter(TEN_YEARS);
  time.advance(3_600_000);
  expect(await runsAfter(0)).toBe(4);
});
