import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageVectors, VECTORS } from '../../../support/package-vectors.ts';

test('the vectors of compliance packages are those that their fixed keys give', () => {
  const vectors = packageVectors();
  expect(readdirSync(VECTORS).sort()).toEqual([...vectors.keys()].sort());
  for (const [name, text] of vectors)
    expect([name, readFileSync(join(VECTORS, name), 'utf8') === text]).toEqual([name, true]);
});
