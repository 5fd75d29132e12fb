import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COSE_VECTORS, coseVectors } from '../../../support/cose-vectors.ts';

test('the vectors of COSE receipts are those that their fixed keys give', () => {
  const vectors = coseVectors();
  expect(readdirSync(COSE_VECTORS).sort()).toEqual([...vectors.keys()].sort());
  for (const [name, content] of vectors)
    expect([name, Bun.deepEquals(new Uint8Array(readFileSync(join(COSE_VECTORS, name))), content)]).toEqual([
      name,
      true,
    ]);
});
