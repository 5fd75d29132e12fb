import { expect, test } from 'bun:test';
import { WindowCounter } from '../../../../src/platform/time/window-counter.ts';
import { VirtualTime } from '../../../support/virtual-time.ts';

test('a window opens with the first use of a name and ends after its length', () => {
  const time = new VirtualTime(1_000_000);
  const counter = new WindowCounter(time, 60_000);
  expect([counter.count('a'), counter.add('a'), counter.add('a'), counter.add('b')]).toEqual([0, 1, 2, 1]);
  time.advance(59_500);
  expect([counter.count('a'), counter.secondsLeft('a')]).toEqual([2, 1]);
  time.advance(500);
  expect([counter.count('a'), counter.add('a')]).toEqual([0, 1]);
});

test('a clock that is set back prolongs no window', () => {
  const time = new VirtualTime(10_000_000);
  const counter = new WindowCounter(time, 60_000);
  counter.add('a');
  const earlier = new VirtualTime(1_000_000);
  time.now = () => earlier.now();
  expect(counter.count('a')).toBe(0);
});

test('names with expired windows are dropped, for any number of names', () => {
  const time = new VirtualTime(0);
  const counter = new WindowCounter(time, 1000);
  for (let name = 0; name < 10_000; name++) counter.add(`old ${name}`);
  time.advance(1000);
  counter.add('new');
  expect(counter.names).toBe(1);
});
