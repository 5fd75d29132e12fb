import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AGORA_VECTORS, agoraVectors } from '../../../support/agora-vectors.ts';

test('the vectors of AGORA proposals are those that their fixed keys give', () => {
  const vectors = agoraVectors();
  expect(readdirSync(AGORA_VECTORS).sort()).toEqual([...vectors.keys()].sort());
  for (const [name, text] of vectors)
    expect([name, readFileSync(join(AGORA_VECTORS, name), 'utf8') === text]).toEqual([name, true]);
});
