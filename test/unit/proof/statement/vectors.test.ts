import { beforeAll, describe, expect, test } from 'bun:test';
import { SAMPLED_AT, type Samples, statementSamples } from '../../../../scripts/vectors/statement-samples.ts';
import { genuineIn, STATEMENT_VECTORS } from '../../../../scripts/vectors/statements.ts';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { isJsonObject, type JsonValue } from '../../../../src/proof/encoding/json.ts';
import { judgedDocument } from '../../../support/document-vectors.ts';

let samples: Samples;
beforeAll(async () => {
  samples = await statementSamples(undefined);
});

/** Returns the paths and types of all values in a document. */
function shapeOf(value: JsonValue, path = ''): string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap((item) => shapeOf(item, `${path}[]`)))];
  if (isJsonObject(value))
    return Object.entries(value).flatMap(([name, member]) => shapeOf(member, `${path}.${name}`));
  return [`${path} ${value === null ? 'null' : typeof value}`];
}

describe.each([...STATEMENT_VECTORS])('test/vectors/%s', (kind) => {
  test('has documents like those of a running service, which are valid too', async () => {
    const genuine = genuineIn(kind);
    const real = samples.documents.get(kind);
    expect([...(real?.keys() ?? [])].sort()).toEqual([...genuine.keys()].sort());
    for (const [name, document] of real ?? []) {
      expect([name, shapeOf(document)]).toEqual([name, shapeOf(genuine.get(name) ?? null)]);
      const judged = await judgedDocument(nativePrimitives, {
        document: Buffer.from(JSON.stringify(document)),
        keys: samples.keys,
        beside: {},
        // A statement of a month is from after its end.
        now: Date.parse(String(document.issued_at ?? SAMPLED_AT)),
      });
      expect([name, judged.verdict, judged.problems]).toEqual([name, 'valid', []]);
    }
  });
});
