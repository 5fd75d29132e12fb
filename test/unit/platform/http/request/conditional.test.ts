import { expect, test } from 'bun:test';
import { matchesEtag } from '../../../../../src/platform/http/request/conditional.ts';

const TAG = '"abc"';

test.each([
  ['no header', undefined, false],
  ['a header that is null', null, false],
  ['an empty header', '', false],
  ['the tag', '"abc"', true],
  ['the tag as a weak one', 'W/"abc"', true],
  ['the tag among others', '"x", W/"y" ,"abc"', true],
  ['any tag', '*', true],
  ['another tag', '"abd"', false],
  ['the tag without its quotes', 'abc', false],
  ['a part of the tag', '"ab"', false],
])('If-None-Match with %s', (_name, header, named) => {
  expect(matchesEtag(header, TAG)).toBe(named);
});

test('a weak tag is named by its strong form', () => {
  expect(matchesEtag('"abc"', 'W/"abc"')).toBe(true);
});
