import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import {
  isJsonObject,
  JsonError,
  type JsonObject,
  parseJsonBytes,
} from '../../../../src/proof/encoding/json.ts';
import { isCoseReceipt } from '../../../../src/proof/log/read-cose-receipt.ts';
import { byteTamperings } from '../../../support/changed-bytes.ts';
import { tamperings } from '../../../support/changed-document.ts';
import { textTamperings } from '../../../support/changed-text.ts';
import {
  casesOf,
  comparable,
  judgementOf,
  unsignedOf,
  VECTOR_KINDS,
  type VectorCase,
} from '../../../support/document-vectors.ts';
import { documentsJudgedByPython, hasPython } from '../../../support/python.ts';

/** Of arrays only the first and the last element are changed. */
const ELEMENTS = 2;
/**
 * src/tools/python/verify.py judges one of so many changed documents, since it runs openssl for each signature.
 */
const ONE_IN = 4;

/**
 * Returns what src/tools/python/verify.py says of each document; with the result of the program itself where
 * there is no Python.
 */
async function byPython(cases: readonly Pick<VectorCase, 'document' | 'keys' | 'now' | 'beside'>[]) {
  if (!hasPython) return null;
  const said = await documentsJudgedByPython(cases.map((one) => ({ ...one, now: one.now / 1000 })));
  return said.map(comparable);
}

function objectIn(document: Uint8Array): JsonObject | null {
  try {
    const value = parseJsonBytes(document);
    return isJsonObject(value) ? value : null;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return null;
  }
}

/** Returns a document with everything in it changed, one thing at a time. */
function changesOf(document: Uint8Array): { path: string; document: Uint8Array }[] {
  const object = objectIn(document);
  if (isCoseReceipt(document))
    return byteTamperings(document).map(({ path, bytes }) => ({ path: `${path} changed`, document: bytes }));
  if (object === null)
    return textTamperings(new TextDecoder().decode(document)).map(({ path, how, text }) => ({
      path: `${path} ${how}`,
      document: Buffer.from(text),
    }));
  const changes = tamperings(object, ELEMENTS).map(({ path, how, document }) => ({
    path: `${path} ${how}`,
    document: Buffer.from(JSON.stringify(document)),
  }));
  // What agents sign has a context that is meant where none is given.
  if (!isJsonObject(object.payload) || Object.hasOwn(object, 'context')) return changes;
  const meant = Buffer.from(JSON.stringify({ ...object, context: 'passport-v1' }));
  return [...changes, { path: 'context added as passport-v1', document: meant }];
}

describe.each(VECTOR_KINDS)('test/vectors/%s', (kind) => {
  const cases = casesOf(kind);

  test('has genuine and tampered documents', () => {
    const verdicts = new Set(cases.map(({ verdict }) => verdict));
    expect([verdicts.has('valid'), verdicts.size > 3]).toEqual([true, true]);
  });

  test('has nothing outside of the signature that a page does not tell', () => {
    for (const { path, page, says } of unsignedOf(kind)) {
      const text = readFileSync(join(import.meta.dir, '../../../../docs/verification', page), 'utf8');
      expect([path, page, text.includes(says)]).toEqual([path, page, true]);
    }
  });

  const genuine = cases.filter(({ verdict, isWhole }) => verdict === 'valid' && isWhole);
  const files = new Map(genuine.map((one) => [one.file, one]));
  test.each([...files.keys()])(
    '%s is refused with anything in it changed',
    async (file) => {
      const one = files.get(file);
      if (one === undefined) throw new Error('there is a case of each file');
      const changes = changesOf(one.document).map((changed) => ({ ...one, ...changed }));
      const isUnsigned = (path: string): boolean =>
        unsignedOf(kind).some(
          (part) => (part.file ?? file) === file && (path === part.path || path.startsWith(`${part.path} `)),
        );
      const judged: unknown[] = [];
      const accepted: string[] = [];
      for (const changed of changes) {
        const { result, isValid } = await judgementOf(nativePrimitives, changed);
        judged.push(comparable(result));
        const quorum = new Map<string, unknown>(Object.entries(result.checks)).get('quorum') ?? 'ok';
        const isMet = quorum === 'ok' || quorum === 'none';
        // Nothing signs a bundle as a whole, so that each of its checks counts.
        const isAccepted = kind === 'receipt-bundle' ? isValid : result.verdict === 'valid' && isMet;
        if (isAccepted && !isUnsigned(changed.path)) accepted.push(changed.path);
      }
      expect(accepted).toEqual([]);
      const some = changes.filter((_, index) => index % ONE_IN === 0);
      const said = await byPython(some);
      if (said === null) return;
      const differences = some.flatMap(({ path }, index) =>
        Bun.deepEquals(said[index], judged[index * ONE_IN])
          ? []
          : [[path, judged[index * ONE_IN], said[index]]],
      );
      expect(differences).toEqual([]);
    },
    180_000,
  );
});
