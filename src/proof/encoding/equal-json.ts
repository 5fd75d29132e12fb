import { isJsonObject, type JsonValue } from './json.ts';

/**
 * Returns whether two parsed values are the same, in whatever order their members are. 0 and −0 are not.
 * Values are nested at most as deep as `parseJson` allows.
 */
export function equalJson(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (Object.is(one, other)) return true;
  if (Array.isArray(one)) {
    if (!Array.isArray(other) || one.length !== other.length) return false;
    return one.every((item, index) => equalJson(item, other[index]));
  }
  if (!isJsonObject(one) || !isJsonObject(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && equalJson(one[name], other[name]))
  );
}
