import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/proof/encoding/json.ts';
import { PACKAGE_KINDS } from '../../src/proof/package/format.ts';
import { GENERATED_AT, packageKeys, signedPackage, unsignedPackage } from './compliance-package.ts';
import { PACKAGE_CASES } from './package-cases.ts';

export const VECTORS = join(import.meta.dir, '../vectors/package');

/** An operation of a JSON Patch (RFC 6902), of the three kinds that the vectors need. */
type Operation = { op: 'replace' | 'add'; path: string; value: JsonValue } | { op: 'remove'; path: string };

const fileOf = (kind: string): string => `${kind}.json`;
const genuine: Readonly<Record<string, JsonObject>> = Object.fromEntries(
  PACKAGE_KINDS.map((kind) => [kind, signedPackage(unsignedPackage(kind))]),
);

/** Returns the JSON Patch from one document to another. Arrays of another length are replaced as a whole. */
function patchOf(from: JsonValue, to: JsonValue, path = ''): Operation[] {
  if (Bun.deepEquals(from, to)) return [];
  if (Array.isArray(from) && Array.isArray(to) && from.length === to.length)
    return from.flatMap((item, index) => patchOf(item, to[index] ?? null, `${path}/${index}`));
  if (!isJsonObject(from) || !isJsonObject(to)) return [{ op: 'replace', path, value: to }];
  return [...new Set([...Object.keys(from), ...Object.keys(to)])].flatMap((name): Operation[] => {
    const at = `${path}/${name}`;
    const [before, after] = [from[name], to[name]];
    if (after === undefined) return [{ op: 'remove', path: at }];
    return before === undefined ? [{ op: 'add', path: at, value: after }] : patchOf(before, after, at);
  });
}

/** Applies a patch of `patchOf`. */
export function patched(document: JsonValue, patch: readonly Operation[]): JsonValue {
  const copy: JsonValue = structuredClone(document);
  for (const operation of patch) {
    const steps = operation.path.split('/').slice(1);
    const last = steps.pop() ?? '';
    const parent = steps.reduce<JsonValue>((value, step) => Object(value)[step], copy);
    if (operation.op === 'remove') delete Object(parent)[last];
    else Object(parent)[last] = operation.value;
  }
  return copy;
}

/** Returns the text of each file of test/vectors/package, by its name. They follow from fixed keys, so they are the same every time. */
export function packageVectors(): ReadonlyMap<string, string> {
  const cases = PACKAGE_CASES.map(({ name, kind, document, keys, verdict, problem }) => ({
    name,
    package: fileOf(kind),
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
