import { expect, test } from 'bun:test';
import { Failure } from '../../../../../src/platform/failure.ts';
import { ApiError } from '../../../../../src/platform/http/errors/errors.ts';
import { Chronology } from '../../../../../src/platform/test-service/seed/chronology.ts';

const END = Date.parse('2026-01-01T00:00:00Z');
const seed = {
  problemAt: (path: readonly (string | number)[], problem: string) =>
    new Failure(`${path.join('.')} ${problem}`, null, 2),
};
const definition = { code: 'limit_exceeded', status: 409, message: 'Too many.', remedy: 'Wait.' };

/** A clock that only notes where it goes. */
function noted() {
  const went: number[] = [];
  return { went, now: () => went.at(-1) ?? 0, advanceTo: async (time: number) => void went.push(time) };
}

test('acts happen in the order of their times, and those without a time first', async () => {
  const chronology = new Chronology(seed, END);
  const done: string[] = [];
  for (const [name, time] of [
    ['second', '-1h'],
    ['first', '-2h'],
    ['before all', undefined],
    ['third', '-1h'],
  ] as const)
    chronology.add(time, [name], async () => void done.push(name));
  const clock = noted();
  await chronology.perform(clock);
  expect(done).toEqual(['before all', 'first', 'second', 'third']);
  expect(clock.went).toEqual([END - 7_200_000, END - 3_600_000, END]);
});

test('an act that a rule refuses names its place and the code of the rule', async () => {
  const chronology = new Chronology(seed, END);
  chronology.add(undefined, ['grants', 0], async () => {
    throw new ApiError(definition, { issues: { amount: ['is too large'] } });
  });
  await expect(chronology.perform(noted())).rejects.toThrow(
    'grants.0 is refused by the service: limit_exceeded: Too many. Wait. {"issues":{"amount":["is too large"]}}',
  );
});

test('what is in the future, and what is no time, is refused with its place', () => {
  const chronology = new Chronology(seed, END);
  const act = async () => undefined;
  expect(() => chronology.add('+1s', ['receipts', 0], act)).toThrow('receipts.0 must not be after');
  expect(() => chronology.add('soon', ['receipts', 0], act)).toThrow('receipts.0 is soon, which is no time');
});
