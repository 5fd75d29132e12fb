import { describe, expect, test } from 'bun:test';
import { Refusal } from '../../../../../src/platform/http/errors/errors.ts';
import { StreamSlots } from '../../../../../src/trust/protocols/a2a/streams/stream-slots.ts';

const operator = (name: string) => ({ name: `operator ${name}`, hasKey: true, isAnybody: false });
const free = (name: string) => ({ ...operator(name), isAnybody: true });
const stranger = (name: string) => ({ name: `address ${name}`, hasKey: false, isAnybody: true });

/** Returns the message of a refusal; null if the slot was taken. */
function refusalOf(take: () => unknown): string | null {
  try {
    take();
    return null;
  } catch (error) {
    if (!(error instanceof Refusal) || error.cause !== 'rate') throw error;
    expect(Number(Object(error.details.headers)['retry-after'])).toBeGreaterThan(0);
    return error.details.message ?? '';
  }
}

describe('slots of streams', () => {
  let now = 0;
  const slots = (all = 100, ofCaller = 20) => new StreamSlots({ all, ofCaller }, () => now);
  const takeAll = (taken: StreamSlots, caller: Parameters<StreamSlots['take']>[0], count: number) =>
    Array.from({ length: count }, () => taken.take(caller));

  test('are limited for each caller, and for an address to a tenth', () => {
    const taken = slots();
    const [first] = takeAll(taken, operator('1'), 20);
    expect(refusalOf(() => taken.take(operator('1')))).toContain('You have 20 open streams');
    expect(refusalOf(() => taken.take(operator('2')))).toBeNull();
    takeAll(taken, stranger('1'), 2);
    expect(refusalOf(() => taken.take(stranger('1')))).toContain('You have 2 open streams');
    first?.();
    // A slot is freed once.
    first?.();
    expect(refusalOf(() => taken.take(operator('1')))).toBeNull();
    expect(refusalOf(() => taken.take(operator('1')))).not.toBeNull();
  });

  test('that anybody can take are half of all', () => {
    const taken = slots();
    for (let one = 0; one < 25; one++) takeAll(taken, stranger(String(one)), 2);
    for (const caller of [stranger('new'), free('new')])
      expect(refusalOf(() => taken.take(caller))).toContain('as many streams as it may have');
    takeAll(taken, operator('1'), 20);
    expect(taken.size).toBe(70);
  });

  test('cannot be opened again and again', () => {
    const taken = slots();
    for (let one = 0; one < 40; one++) taken.take(operator('1'))();
    expect(refusalOf(() => taken.take(operator('1')))).toContain('You opened 40 streams within a minute');
    expect(refusalOf(() => taken.take(operator('2')))).toBeNull();
    now += 60_000;
    expect(refusalOf(() => taken.take(operator('1')))).toBeNull();
  });

  test('are as many as there are for all callers together', () => {
    const taken = slots(30, 20);
    takeAll(taken, operator('1'), 20);
    takeAll(taken, operator('2'), 10);
    expect(refusalOf(() => taken.take(operator('3')))).toContain('as many streams as it may have');
  });
});
