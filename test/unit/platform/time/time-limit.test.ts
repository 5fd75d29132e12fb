import { expect, test } from 'bun:test';
import { TimeLimit } from '../../../../src/platform/time/time-limit.ts';

const late = () => new Error('too late');
const never = () => new Promise<string>(() => undefined);

test('a promise that never settles rejects at the limit, each of several with its own error', async () => {
  const limit = new TimeLimit(5);
  const both = await Promise.allSettled([
    limit.within(never(), late),
    limit.within(never(), () => new Error('also')),
  ]);
  expect(both.map((one) => String(Reflect.get(one, 'reason')))).toEqual(['Error: too late', 'Error: also']);
  await expect(limit.within(never(), late)).rejects.toThrow('too late');
});

test('a promise that settles in time is what it is, and no longer waits', async () => {
  const limit = new TimeLimit(60_000);
  const lateOnes: string[] = [];
  const other = () => {
    lateOnes.push('late');
    return late();
  };
  expect(await limit.within(Promise.resolve(1), other)).toBe(1);
  await expect(limit.within(Promise.reject(new Error('own')), other)).rejects.toThrow('own');
  expect(Reflect.get(limit, 'waiting').size).toBe(0);
  expect(lateOnes).toEqual([]);
});

test('those that began later wait their own time', async () => {
  const limit = new TimeLimit(20);
  const order: string[] = [];
  const note = (name: string) => (error: unknown) => void order.push(`${name}: ${error}`);
  const first = limit.within(never(), late).catch(note('first'));
  await Bun.sleep(5);
  const second = limit.within(never(), late).catch(note('second'));
  await first;
  expect(order).toEqual(['first: Error: too late']);
  await second;
  expect(order).toEqual(['first: Error: too late', 'second: Error: too late']);
});
