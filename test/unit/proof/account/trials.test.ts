import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { tortureAccount } from '../../../../scripts/torture/linked-account.ts';
import {
  CHEATS,
  missedBy,
  numbersFrom,
  prepare,
  problemsOf,
  shownBy,
} from '../../../support/account-trials.ts';
import { madeAccount, OPERATOR } from '../../../support/made-account.ts';
import { hasPython, leavesJudgedByPython } from '../../../support/python.ts';

const NOW = Date.parse('2026-06-01T12:00:00.000Z');

test('an account that nobody touched has no problem, whatever its size', () => {
  for (const count of [0, 1, 2, 3, 7, 50, 400]) {
    const { made, listed, now } = prepare(madeAccount(count, NOW, 37));
    expect(problemsOf({ listed: [...listed], entries: made.entries, kept: made.kept }, now)).toEqual([]);
  }
});

test('every way to cheat is named, with one receipt or with many', () => {
  const prepared = prepare(madeAccount(300, NOW, 40));
  const trial = fc.record({
    name: fc.constantFrom(...Object.keys(CHEATS)),
    seed: fc.nat(),
    changes: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 40 })),
  });
  fc.assert(
    fc.property(trial, ({ name, seed, changes }) => {
      expect(missedBy(name, prepared, numbersFrom(seed), changes)).toBeNull();
    }),
    { numRuns: 250 },
  );
  for (const name of Object.keys(CHEATS)) expect(missedBy(name, prepared, numbersFrom(1), 3)).toBeNull();
});

test('200 trials in turn miss nothing, and have no false alarm', () => {
  const lines: string[] = [];
  const result = tortureAccount({ receipts: 300, trials: 200, seed: 7, log: (line) => lines.push(line) });
  expect(result).toMatchObject({
    receipts: 300,
    trials: 200,
    named: 200,
    missed: 0,
    untouched: 2,
    falseAlarms: 0,
  });
  expect(lines).toEqual([
    '0 of 200 trials, 0 missed, 0 false alarms',
    '100 of 200 trials, 0 missed, 0 false alarms',
  ]);
});

test('a trial that is not named says so', () => {
  expect(missedBy('nothing', prepare(madeAccount(5, NOW)), numbersFrom(1), 1)).toBe(
    'no way to cheat is called nothing',
  );
});

test.skipIf(!hasPython)('src/tools/python/verify.py names the same whatever the way to cheat', async () => {
  const prepared = prepare(madeAccount(120, NOW, 40));
  const stories = Object.values(CHEATS).flatMap((cheat) =>
    [1, 12].map((changes) => shownBy(cheat, prepared, numbersFrom(changes), changes).shown),
  );
  const said = await leavesJudgedByPython(
    stories.map((shown) => ({ ...shown, operatorId: OPERATOR, now: prepared.now, from: null })),
  );
  const names = Object.keys(CHEATS);
  for (const [index, shown] of stories.entries())
    expect([names[index >> 1], said[index]]).toEqual([
      names[index >> 1],
      JSON.parse(JSON.stringify(problemsOf(shown, prepared.now))),
    ]);
});
