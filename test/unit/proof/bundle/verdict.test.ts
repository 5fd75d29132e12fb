import { describe, expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { noteInEvidenceBundle } from '../../../../src/proof/bundle/evidence-bundle.ts';
import type { JsonObject } from '../../../../src/proof/encoding/json.ts';
import { noblePrimitives } from '../../../../src/proof/noble.ts';
import { casesOf, judgementOf } from '../../../support/document-vectors.ts';
import { vectorJson } from '../../../support/vectors.ts';

describe.each(['receipt-bundle', 'evidence-bundle', 'journal-head-proof'])('each stored %s', (kind) => {
  test.each(casesOf(kind).map((one) => [one.name, one] as const))(
    'has its verdict with both implementations of the primitives: %s',
    async (_, one) => {
      const { result } = await judgementOf(nativePrimitives, one);
      expect(result).toMatchObject({ verdict: one.verdict, checks: one.checks });
      expect((await judgementOf(noblePrimitives, one)).result).toEqual(result);
    },
  );
});

test('the checkpoint of a bundle of evidence is that of its proof, and there is none without one', () => {
  const bundle = vectorJson<JsonObject>('evidence-bundle/second.json');
  const { checkpoint } = Object(bundle.proof);
  expect(checkpoint).toBeString();
  expect(noteInEvidenceBundle(nativePrimitives, bundle)).toBe(checkpoint);
  for (const without of [{ ...bundle, proof: null }, { ...bundle, note: 'checked' }, null])
    expect(noteInEvidenceBundle(nativePrimitives, without)).toBeNull();
});
