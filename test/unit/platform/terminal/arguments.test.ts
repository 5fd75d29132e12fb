import { expect, test } from 'bun:test';
import { nonZeroInteger, positiveInteger } from '../../../../src/platform/terminal/arguments.ts';

test.each(['1', '40', '9007199254740991'])('the amount %p of a command is accepted', (text) => {
  expect(positiveInteger(text)).toBe(Number(text));
});

test.each(['', '0', '-1', '01', '1.5', '1e3', ' 1', '0x10', '٣', '9007199254740992', '10000000000000000000'])(
  'the amount %p of a command is refused with the range',
  (text) => {
    expect(() => positiveInteger(text)).toThrow('It must be a whole number from 1 to 9007199254740991.');
  },
);

test.each(['1', '-1', '-9007199254740991'])('the change %p of a command is accepted', (text) => {
  expect(nonZeroInteger(text)).toBe(Number(text));
});

test.each(['', '-', '0', '-0', '--1', '+1', '1.5', '-9007199254740992'])(
  'the change %p of a command is refused with the range',
  (text) => {
    expect(() => nonZeroInteger(text)).toThrow(
      'It must be a whole number from -9007199254740991 to 9007199254740991, but not 0.',
    );
  },
);
