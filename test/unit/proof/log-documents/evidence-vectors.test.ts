import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVIDENCE_VECTORS, evidenceVectors } from '../../../support/evidence-vectors.ts';

test('the vectors of evidence are those that their fixed keys give', () => {
  const vectors = evidenceVectors();
  expect(readdirSync(EVIDENCE_VECTORS).sort()).toEqual([...vectors.keys()].sort());
  for (const [name, text] of vectors)
    expect([name, readFileSync(join(EVIDENCE_VECTORS, name), 'utf8') === text]).toEqual([name, true]);
});
