import type { JsonValue } from './json.ts';

/** Reports a value that has no canonical form. */
export class CanonicalJsonError extends Error {
  override readonly name = 'CanonicalJsonError';
}

/** Greater than the depth limit of the parser; bounds the recursion for values built in memory. */
const MAX_CANONICAL_DEPTH = 1024;

/**
 * Strings that JSON writes without escapes. Most strings are, and this test is faster than JSON.stringify.
 */
const PLAIN = /^[ !#-[\]-~]*$/;

/**
 * Serializes a value as canonical JSON (RFC 8785, JCS): no white space, members sorted by UTF-16 code units,
 * numbers and strings as ECMAScript prints them, −0 as 0. It builds the string itself: JSON.stringify of a
 * sorted copy would move integer-like names and lose `__proto__`. Strings are not Unicode-normalised.
 *
 * Every number is a double here. `parseJson` refuses integer literals that a double cannot represent exactly.
 *
 * @throws CanonicalJsonError for lone surrogates, numbers that are not finite, more than 1024 levels of
 * nesting, and values that JSON does not have (undefined, holes, functions, bigints, class instances)
 */
export function canonicalJson(value: JsonValue): string {
  return writeValue(value, 0);
}

/**
 * Writes a value that is nested in `depth` others, as `canonicalJson`.
 * @throws CanonicalJsonError
 */
export function writeValue(value: JsonValue | undefined, depth: number): string {
  switch (typeof value) {
    case 'string':
      return writeString(value);
    case 'number':
      return writeNumber(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      return value === null ? 'null' : writeNested(value, depth + 1);
    default:
      throw new CanonicalJsonError(`JSON has no ${typeof value}`);
  }
}

function writeNested(value: object, depth: number): string {
  requireShallow(depth);
  return Array.isArray(value) ? writeArray(value, depth) : writeObject(plainObject(value), depth);
}

/** @throws CanonicalJsonError for too many levels */
export function requireShallow(depth: number): void {
  if (depth <= MAX_CANONICAL_DEPTH) return;
  throw new CanonicalJsonError(`nested more than ${MAX_CANONICAL_DEPTH} levels deep`);
}

/** Returns an object of JSON. @throws CanonicalJsonError for an instance of a class */
export function plainObject(value: object): { [name: string]: JsonValue } {
  if (isPlain(value)) return value;
  throw new CanonicalJsonError(`JSON has no ${value.constructor.name}`);
}

function writeArray(items: JsonValue[], depth: number): string {
  let text = '';
  for (const item of items) text += `${text === '' ? '' : ','}${writeValue(item, depth)}`;
  return `[${text}]`;
}

function writeObject(members: { [name: string]: JsonValue }, depth: number): string {
  const names = Object.keys(members);
  if (isSortedAndPlain(names, members)) return JSON.stringify(members);
  let text = '';
  for (const name of names.sort()) {
    text += `${text === '' ? '' : ','}${writeString(name)}:${writeValue(members[name], depth)}`;
  }
  return `{${text}}`;
}

/**
 * Returns whether the faster JSON.stringify gives the same text: members are sorted, and only strings, finite
 * numbers or null. Both print such a number as ECMAScript does.
 */
function isSortedAndPlain(names: readonly string[], members: { [name: string]: JsonValue }): boolean {
  let last = '';
  for (const name of names) {
    const value = members[name];
    if (name < last || !name.isWellFormed()) return false;
    const isSimple =
      typeof value === 'string' ? value.isWellFormed() : value === null || Number.isFinite(value);
    if (!isSimple) return false;
    last = name;
  }
  return true;
}

/**
 * Returns whether a value is a plain object. A Date, Map or byte array has no enumerable members and would be
 * written as `{}`.
 */
function isPlain(value: object): value is { [name: string]: JsonValue } {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Writes a string. @throws CanonicalJsonError for a lone surrogate */
export function writeString(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  if (!text.isWellFormed()) throw new CanonicalJsonError('a string contains a lone surrogate');
  return JSON.stringify(text);
}

function writeNumber(number: number): string {
  if (!Number.isFinite(number)) throw new CanonicalJsonError('a number is not finite');
  return String(number);
}
