import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WITNESS_VECTORS, witnessVectors } from '../../../support/witness-vectors.ts';

test('the vectors of cosignatures are those of their script', () => {
  for (const [name, text] of witnessVectors())
    expect([name, readFileSync(join(WITNESS_VECTORS, name), 'utf8')]).toEqual([name, text]);
});
