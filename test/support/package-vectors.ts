import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../src/proof/encoding/json.ts';
import { PACKAGE_KINDS } from '../../src/proof/package/format.ts';
import { GENERATED_AT, packageKeys, signedPackage, unsignedPackage } from './compliance-package.ts';
import { patchOf } from './json-patch.ts';
import { PACKAGE_CASES } from './package-cases.ts';

export const VECTORS = join(import.meta.dir, '../vectors/package');

const fileOf = (kind: string): string => `${kind}.json`;
const genuine: Readonly<Record<string, JsonObject>> = Object.fromEntries(
  PACKAGE_KINDS.map((kind) => [kind, signedPackage(unsignedPackage(kind))]),
);

/**
 * Returns the text of each file of test/vectors/package, by its name. They follow from fixed keys, so they
 * are the same every time.
 */
export function packageVectors(): ReadonlyMap<string, string> {
  const cases = PACKAGE_CASES.map(({ name, kind, document, keys, verdict, problem }) => ({
    name,
    file: fileOf(kind),
    patch: patchOf(genuine[kind] ?? null, document),
    keys_patch: patchOf(packageKeys, keys),
    at: GENERATED_AT,
    verdict,
    problem,
  }));
  return new Map([
    ['keys.json', `${JSON.stringify(packageKeys, null, 2)}\n`],
    ...Object.entries(genuine).map(
      ([kind, document]) => [fileOf(kind), `${JSON.stringify(document, null, 2)}\n`] as const,
    ),
    ['cases.json', `[\n${cases.map((one) => JSON.stringify(one)).join(',\n')}\n]\n`],
  ]);
}

// Run this file to write the vectors anew after the format changed.
if (import.meta.main) {
  mkdirSync(VECTORS, { recursive: true });
  for (const [name, text] of packageVectors()) writeFileSync(join(VECTORS, name), text);
}
