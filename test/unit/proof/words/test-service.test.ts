import { expect, test } from 'bun:test';
import { isTestOrigin, testOrigin } from '../../../../src/proof/log/test-origin.ts';
import { markTest, TEST_WORDS } from '../../../../src/proof/words/test-service.ts';

test.each([
  ['test.invalid/3f', true],
  ['test.invalid', true],
  ['test.invalid:3000', true],
  ['TEST.invalid/3f/receipts', true],
  ['test.invalid/3f-2/keys', true],
  ['test.invalid.acme.example', false],
  ['acme.test.invalid', false],
  ['acme.example/test.invalid', false],
  ['test.invalidated', false],
  ['test.invalid\n', false],
  ['', false],
])('the log %p is that of a test service: %p', (origin, isTest) => {
  expect(isTestOrigin(origin)).toBe(isTest);
});

test('what a test service signed is marked, whichever of its logs says so', () => {
  const said = { sentence: 'valid: it is.', checked: ['hash'] };
  const origin = testOrigin('3f');
  const marked = { ...said, test: true as const, sentence: `${TEST_WORDS} valid: it is.` };
  expect(markTest(said, [null, `${origin}/receipts`])).toEqual(marked);
  expect(markTest(said, [`${origin}/keys`])).toEqual(marked);
  expect(markTest(said, [null, 'acme.example/receipts'])).toEqual(said);
  expect(markTest(said, [])).toEqual(said);
});
