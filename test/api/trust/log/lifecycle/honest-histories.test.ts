import { expect, test } from 'bun:test';
import { tortureHonest } from '../../../../../scripts/torture/honest-histories.ts';
import { honestHistory } from '../../../../support/honest/history.ts';
import { hasPython } from '../../../../support/python.ts';

test('of twelve short histories of honest services nobody says anything wrong', async () => {
  const lines: string[] = [];
  const log = (line: string) => void lines.push(line);
  const result = await tortureHonest({ histories: 11, steps: 10, first: 1001, log });
  expect(lines.filter((line) => !line.endsWith('no alarm'))).toEqual([]);
  expect(result).toMatchObject({ histories: 11, falseAlarms: 0 });
  const last = await honestHistory(2001, { steps: 20, withPython: hasPython });
  expect(last.alarms).toEqual([]);
  expect(last.steps.length).toBeGreaterThanOrEqual(20);
});
