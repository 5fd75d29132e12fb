import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { readTrustedKeys } from '../../../../src/proof/keys/trusted-keys.ts';
import { readLogKeys } from '../../../../src/proof/log/log-keys.ts';
import { judgePackage, type PackageVerdict } from '../../../../src/proof/package/verdict.ts';
import { packageVectors, patched, VECTORS } from '../../../support/package-vectors.ts';

const read = (name: string): string => readFileSync(join(VECTORS, name), 'utf8');
const cases: {
  name: string;
  package: string;
  patch: Parameters<typeof patched>[1];
  keys_patch: Parameters<typeof patched>[1];
  at: string;
  verdict: PackageVerdict;
  problem: string | null;
}[] = JSON.parse(read('cases.json'));

test('the vectors of compliance packages are those that their fixed keys give', () => {
  const vectors = packageVectors();
  expect(readdirSync(VECTORS).sort()).toEqual([...vectors.keys()].sort());
  for (const [name, text] of vectors) expect([name, read(name) === text]).toEqual([name, true]);
});

describe('a vector of a compliance package has the verdict that it states:', () => {
  for (const { name, package: file, patch, keys_patch, at, verdict, problem } of cases) {
    test(name, () => {
      const keys = patched(JSON.parse(read('keys.json')), keys_patch);
      const document = patched(JSON.parse(read(file)), patch);
      const result = judgePackage(nativePrimitives, Buffer.from(JSON.stringify(document)), {
        keys: readTrustedKeys(nativePrimitives, keys),
        logKeys: readLogKeys(nativePrimitives, keys).trusted,
        now: Date.parse(at),
      });
      expect(result.verdict).toBe(verdict);
      expect(result.problems.some((one) => one.startsWith(problem ?? ''))).toBe(problem !== null);
    });
  }
});
