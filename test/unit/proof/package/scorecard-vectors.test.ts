import { expect, test } from 'bun:test';
import {
  adoptedScorecard,
  genuineScorecard,
  scorecardSample,
} from '../../../../scripts/vectors/scorecard.ts';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { GENERATED_AT } from '../../../support/compliance-package.ts';
import { judgedDocument } from '../../../support/document-vectors.ts';

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
