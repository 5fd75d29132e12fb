import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { GENERATED_AT } from '../../../support/compliance-package.ts';
import { judgedDocument } from '../../../support/document-vectors.ts';
import {
  adoptedScorecard,
  genuineScorecard,
  SCORECARD_VECTORS,
  scorecardSample,
  scorecardVectors,
} from '../../../support/scorecard-vectors.ts';

test('the vectors of scorecards follow from the genuine one and the fixed keys', () => {
  const vectors = scorecardVectors(genuineScorecard());
  expect(readdirSync(SCORECARD_VECTORS).sort()).toEqual([...vectors.keys()].sort());
  for (const [name, text] of vectors)
    expect([name, readFileSync(join(SCORECARD_VECTORS, name), 'utf8') === text]).toEqual([name, true]);
});

test('the genuine scorecard is what a running service says, which is valid too', async () => {
  const { document, keys } = await scorecardSample();
  expect(adoptedScorecard(document)).toEqual(genuineScorecard());
  const judged = await judgedDocument(nativePrimitives, {
    document: Buffer.from(JSON.stringify(document)),
    keys,
    beside: {},
    now: Date.parse(GENERATED_AT),
  });
  expect([judged.verdict, judged.problems]).toEqual(['valid', []]);
});
