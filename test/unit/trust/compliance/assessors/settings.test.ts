import { expect, test } from 'bun:test';
import { assessorsSettings } from '../../../../../src/trust/compliance/assessors/settings.ts';

const { parse } = assessorsSettings.assessors;
const id = (number: number): string => number.toString(16).padStart(64, '0');

test('a list of assessors has each commitment once', () => {
  expect(parse(`${id(1)}, ${id(2)},${id(1)}`)).toEqual([id(1), id(2)]);
});

test.each([
  ['', 'has ""'],
  ['agent-7', 'has "agent-7"'],
  [`${id(1)},`, 'has ""'],
  [id(1).toUpperCase().replace('0', 'A'), 'is not a subject commitment'],
  [Array.from({ length: 101 }, (_, number) => id(number)).join(), 'has more than 100 agents'],
])('a list of assessors that is not one is refused (%#)', (text, reason) => {
  expect(() => parse(text)).toThrow(reason);
});
