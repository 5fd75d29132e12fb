import { expect, test } from 'bun:test';
import { differencesIn, OWN_DIRECTORIES } from '../../../scripts/vectors/directories.ts';
import { VECTOR_KINDS } from '../../support/document-vectors.ts';

test.each([...OWN_DIRECTORIES])(
  'test/vectors/%s is what `bun scripts/vectors` writes',
  async (directory) => {
    expect(await differencesIn(directory)).toEqual([]);
  },
  180_000,
);

test('every directory with a file cases.json is written by `bun scripts/vectors`', () => {
  expect(VECTOR_KINDS.filter((kind) => !OWN_DIRECTORIES.includes(kind))).toEqual([]);
});
