import { isJsonObject, type JsonValue } from '../../src/proof/encoding/json.ts';

/** An operation of a JSON Patch (RFC 6902), of the three kinds that the vectors need. */
export type Operation =
  | { op: 'replace' | 'add'; path: string; value: JsonValue }
  | { op: 'remove'; path: string };

/** Returns the JSON Patch from one document to another. Arrays of another length are replaced as a whole. */
export function patchOf(from: JsonValue, to: JsonValue, path = ''): Operation[] {
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
