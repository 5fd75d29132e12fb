import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { VERIFIER, withWords } from '../../../scripts/verifier-words.ts';

test('verify.py has the words of the program', () => {
  const source = readFileSync(VERIFIER, 'utf8');
  expect(withWords(source) === source).toBe(true);
  expect(() => withWords('')).toThrow('no place');
});
