import type { JsonValue } from './json.ts';

/** A value that has no canonical form. */
export class CanonicalJsonError extends Error {
  override readonly name = 'CanonicalJsonError';
}

/** Deeper values than any document this program takes; bounds the recursion. */
const MAX_CANONICAL_DEPTH = 256;

/**
 * Canonical JSON by RFC 8785 (JCS): no white space, members sorted by UTF-16 code units, numbers and strings as
 * ECMAScript prints them. Written by building the string: rebuilding an object and printing it would move
 * integer-like names and lose `__proto__`. Text is never Unicode-normalised.
 *
 * @throws CanonicalJsonError for lone surrogates, numbers that are not finite, integers beyond ±(2^53 − 1), and
 * whatever JSON cannot carry.
 */
export function canonicalJson(value: JsonValue): string {
  return write(value, 0);
}

function write(value: JsonValue | undefined, depth: number): string {
  if (depth > MAX_CANONICAL_DEPTH) throw new CanonicalJsonError('nested too deep');
  switch (typeof value) {
    case 'string':
      return writeString(value);
    case 'number':
      return writeNumber(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      break;
    default:
      throw new CanonicalJsonError(`JSON has no ${typeof value}`);
  }
  if (value === null) return 'null';
  if (Array.isArray(value)) return `[${value.map((item) => write(item, depth + 1)).join(',')}]`;
  let text = '';
  for (const member of Object.keys(value).sort()) {
    text += `${text === '' ? '' : ','}${writeString(member)}:${write(value[member], depth + 1)}`;
  }
  return `{${text}}`;
}

function writeString(text: string): string {
  if (!text.isWellFormed()) throw new CanonicalJsonError('a string holds a lone surrogate');
  return JSON.stringify(text);
}

function writeNumber(number: number): string {
  if (!Number.isFinite(number)) throw new CanonicalJsonError('a number is not finite');
  if (Number.isInteger(number) && !Number.isSafeInteger(number)) {
    throw new CanonicalJsonError('an integer is beyond ±(2^53 − 1)');
  }
  return String(number === 0 ? 0 : number);
}
