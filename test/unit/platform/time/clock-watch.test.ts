import { describe, expect, test } from 'bun:test';
import { unlessInDoubt } from '../../../../src/platform/scheduler.ts';
import { type SteadyClock, systemClock } from '../../../../src/platform/time/clock.ts';
import { ClockWatch } from '../../../../src/platform/time/clock-watch.ts';
import { VirtualTime } from '../../../support/virtual-time.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const TEN_YEARS = 10 * 365 * DAY;

test('any number of small steps of the clock is accepted', () => {
  const time = new VirtualTime();
  const watch = new ClockWatch(time);
  for (let step = 0; step < 100; step++) {
    time.advance(1000);
    time.jump(step % 3 === 0 ? -40_000 : 59_000);
    expect(watch.look()).toBeNull();
  }
});

describe.each([TEN_YEARS, -TEN_YEARS, 61_000, -61_000])('a clock that was set by %d ms', (jump) => {
  test('is wrong until it is set back, however long that takes', () => {
    const time = new VirtualTime();
    const watch = new ClockWatch(time);
    time.jump(jump);
    expect(watch.look()).toBe(jump);
    time.advance(1000 * DAY);
    expect([watch.look(), watch.isInDoubt]).toEqual([jump, true]);
    time.jump(-jump);
    expect([watch.look(), watch.isInDoubt]).toEqual([null, false]);
  });

  test('is estimated by the monotonic clock meanwhile', () => {
    const time = new VirtualTime();
    const watch = new ClockWatch(time);
    time.jump(jump);
    time.advance(HOUR);
    expect(watch.read()).toEqual({ wall: time.now(), estimate: time.now() - jump, jump });
  });

  test('is right once it is accepted, which happens once', () => {
    const time = new VirtualTime();
    const watch = new ClockWatch(time);
    time.jump(jump);
    expect([watch.accept(), watch.look(), watch.accept()]).toEqual([true, null, false]);
    time.jump(-jump);
    expect(watch.look()).toBe(-jump);
  });

  test('is accepted after the time that a service allows, which starts again when it is set again', () => {
    const time = new VirtualTime();
    const watch = new ClockWatch(time, { acceptAfterMs: HOUR });
    time.jump(jump);
    watch.look();
    time.advance(HOUR - 1);
    time.jump(jump);
    expect(watch.look()).toBe(2 * jump);
    time.advance(HOUR - 1);
    expect(watch.look()).toBe(2 * jump);
    time.advance(1);
    expect(watch.look()).toBeNull();
  });
});

describe('sleep of the machine', () => {
  test.each([1000, 50_000, 61_000, 8 * HOUR, 1000 * DAY])('of %d ms is no change of the clock', (ms) => {
    const time = new VirtualTime();
    const watch = new ClockWatch(time);
    for (let night = 0; night < 100; night++) {
      time.advance(1000);
      time.sleep(ms);
      expect(watch.look()).toBeNull();
    }
  });

  test('that was counted confirms no later change, even if many sleeps were short', () => {
    const time = new VirtualTime();
    const watch = new ClockWatch(time);
    for (let nap = 0; nap < 20; nap++) {
      time.sleep(50_000);
      watch.look();
    }
    time.jump(20 * 50_000);
    expect(watch.look()).toBe(20 * 50_000);
  });

  test.each([HOUR, -HOUR])('does not hide that the clock was set by %d ms meanwhile', (jump) => {
    const time = new VirtualTime();
    const watch = new ClockWatch(time);
    time.sleep(8 * HOUR);
    time.jump(jump);
    expect(watch.read()).toEqual({ wall: time.now(), estimate: time.now() - jump, jump });
    time.jump(-jump);
    expect(watch.look()).toBeNull();
  });

  test('counts as a change where the system does not say how long it was', () => {
    const time = new VirtualTime();
    const clock: SteadyClock = {
      now: () => time.now(),
      monotonic: () => time.monotonic(),
      sinceBoot: () => null,
    };
    const watch = new ClockWatch(clock);
    time.sleep(8 * HOUR);
    expect(watch.look()).toBe(8 * HOUR);
  });

  test.if(process.platform === 'linux')('is known from Linux', () => {
    const sinceBoot = systemClock.sinceBoot();
    expect(sinceBoot).toBeGreaterThan(0);
    expect(systemClock.sinceBoot()).toBeGreaterThanOrEqual(sinceBoot ?? Number.NaN);
  });
});

describe('cosignatures', () => {
  const jumped = (witnesses: number) => {
    const time = new VirtualTime();
    const watch = new ClockWatch(time, { witnesses });
    time.jump(TEN_YEARS);
    watch.look();
    return { time, watch };
  };

  test('of two witnesses that agree with the clock confirm it', () => {
    const { time, watch } = jumped(2);
    watch.cosigned('one', time.now() - 60_000);
    expect(watch.look()).toBe(TEN_YEARS);
    time.advance(HOUR);
    watch.cosigned('two', time.now() + 60_000);
    expect([watch.look(), watch.timesConfirmed]).toEqual([null, 1]);
  });

  test('of the only witness of a policy confirm the clock', () => {
    const { time, watch } = jumped(1);
    watch.cosigned('one', time.now());
    expect(watch.look()).toBeNull();
  });

  type Cosigning = (time: VirtualTime) => readonly (readonly [string, number])[];
  test.each<[string, number, Cosigning]>([
    ['of one witness again and again', 2, (time) => Array(9).fill(['one', time.now()])],
    ['of a witness that the policy does not demand', 0, (time) => [['one', time.now()]]],
    [
      'more than a minute from the clock',
      2,
      (time) => [
        ['one', time.now() + 60_001],
        ['two', time.now() - 60_001],
      ],
    ],
    [
      'that agree with the time before the change',
      2,
      (time) => [
        ['one', time.now() - TEN_YEARS],
        ['two', time.now() - TEN_YEARS],
      ],
    ],
    [
      'of a witness that then dates another one differently',
      2,
      (time) => [
        ['one', time.now()],
        ['one', time.now() - TEN_YEARS],
        ['two', time.now()],
      ],
    ],
  ])('%s do not confirm it', (_, witnesses, cosigning) => {
    const { time, watch } = jumped(witnesses);
    for (const [witness, at] of cosigning(time)) watch.cosigned(witness, at);
    expect(watch.look()).toBe(TEN_YEARS);
  });

  test('that agreed with an earlier time of the clock do not confirm a later one', () => {
    const { time, watch } = jumped(2);
    watch.cosigned('one', time.now());
    time.jump(DAY);
    watch.cosigned('two', time.now());
    expect(watch.look()).toBe(TEN_YEARS + DAY);
  });

  test('while the clock is right do not confirm a later change', () => {
    const time = new VirtualTime();
    const watch = new ClockWatch(time, { witnesses: 2 });
    watch.cosigned('one', time.now());
    watch.cosigned('two', time.now());
    time.jump(TEN_YEARS);
    expect(watch.look()).toBe(TEN_YEARS);
  });
});

describe('a start whose clock is in doubt', () => {
  const doubtful = (witnesses = 0) => {
    const time = new VirtualTime();
    const newest = time.now() - 3 * DAY;
    return { time, newest, watch: new ClockWatch(time, { witnesses, start: { newest, ranMs: HOUR } }) };
  };

  test('is not wrong, but nothing is done by date, and the time that the service runs is counted', () => {
    const { time, newest, watch } = doubtful();
    time.advance(HOUR);
    expect([watch.look(), watch.isInDoubt, watch.startInDoubt]).toEqual([
      null,
      true,
      { newest, ranMs: 2 * HOUR },
    ]);
  });

  test.each([
    ['an administrator accepts it', (watch: ClockWatch) => void watch.accept()],
    ['the witnesses confirm it', (watch: ClockWatch, now: number) => watch.cosigned('one', now)],
  ])('is right once %s', (_, confirm) => {
    const { time, watch } = doubtful(1);
    confirm(watch, time.now());
    expect([watch.isInDoubt, watch.startInDoubt]).toEqual([false, null]);
  });

  test('stays in doubt when the clock is set and set back', () => {
    const { time, watch } = doubtful();
    time.jump(DAY);
    expect(watch.look()).toBe(DAY);
    time.jump(-DAY);
    expect([watch.look(), watch.isInDoubt]).toEqual([null, true]);
  });
});

describe('a start whose clock is behind the newest time', () => {
  const behind = (ms: number) => {
    const time = new VirtualTime();
    const newest = time.now() + ms;
    return { time, newest, watch: new ClockWatch(time, { witnesses: 1, behind: newest }) };
  };

  test('is wrong, and the time is no earlier than the newest one', () => {
    const { time, newest, watch } = behind(HOUR);
    expect(watch.read()).toEqual({ wall: time.now(), estimate: newest, jump: -HOUR });
    expect([watch.isBehindStart, watch.isInDoubt]).toEqual([true, true]);
  });

  test.each<[string, (watch: ClockWatch, time: VirtualTime) => void]>([
    ['it is near the newest time', (_, time) => time.advance(HOUR - 60_000)],
    ['it is set to any later time', (_, time) => time.jump(5 * HOUR)],
    ['it is accepted', (watch) => void watch.accept()],
    ['the witnesses confirm it', (watch, time) => watch.cosigned('one', time.now())],
  ])('is right once %s, and later changes count from then on', (_, act) => {
    const { time, watch } = behind(HOUR);
    act(watch, time);
    expect([watch.look(), watch.isBehindStart]).toEqual([null, false]);
    time.jump(-HOUR);
    expect(watch.look()).toBe(-HOUR);
  });

  test('is also known by what is found later', () => {
    const time = new VirtualTime();
    const watch = new ClockWatch(time);
    watch.startedAfter(time.now() + 60_000);
    expect(watch.look()).toBeNull();
    watch.startedAfter(time.now() + HOUR);
    watch.startedAfter(time.now() + 60_001);
    expect(watch.look()).toBe(-HOUR);
  });
});

test('tasks that act by date wait while the clock is in doubt, whether it is ahead, behind or unconfirmed', async () => {
  const time = new VirtualTime();
  const watch = new ClockWatch(time);
  let runs = 0;
  const run = async () => void runs++;
  const [task] = unlessInDoubt(watch, [{ name: 'forget', everyMs: 1000, run }]);
  const runsAfter = async (act: () => void): Promise<number> => {
    act();
    await task?.run();
    return runs;
  };
  expect([task?.name, task?.everyMs]).toEqual(['forget', 1000]);
  expect(await runsAfter(() => undefined)).toBe(1);
  expect(await runsAfter(() => time.jump(TEN_YEARS))).toBe(1);
  expect(await runsAfter(() => time.jump(-2 * TEN_YEARS))).toBe(1);
  expect(await runsAfter(() => time.jump(TEN_YEARS))).toBe(2);
  const start = { newest: 0, ranMs: 0 };
  const [other] = unlessInDoubt(new ClockWatch(time, { start }), [{ name: 'pay', everyMs: 1000, run }]);
  await other?.run();
  expect(runs).toBe(2);
});
