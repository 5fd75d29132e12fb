import type { JsonObject, JsonValue } from '../../../proof/encoding/json.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN: readonly number[] = [0x5b, 0x7b];
const CLOSE: readonly number[] = [0x5d, 0x7d];

/** The object whose members are read, too. */
const NESTED = 'tool_response';
/** The longest value that is read, in bytes. */
const LONGEST = 4096;

/**
 * Reads the short members of a large event, and those of its `tool_response`, without a value for the rest of
 * it. The last of two members with the same name counts, as in `JSON.parse`.
 * @returns the members; without the others, and without meaning for what is no JSON
 */
export function outlineOf(bytes: Uint8Array): JsonObject {
  const members: JsonObject = Object.create(null);
  const nested: JsonObject = Object.create(null);
  /** The names of the current members of the first two levels. */
  const names: (string | null)[] = [null, null, null];
  let depth = 0;
  /** Where the current name or value begins; -1 for none. */
  let start = -1;
  const end = (index: number, byte: number): void => {
    const isNested = depth === 2 && names[1] === NESTED;
    if (start !== -1 && (depth === 1 || isNested) && index - start <= LONGEST) {
      const value = parsedIn(bytes.subarray(start, index));
      const name = names[depth];
      if (byte === COLON) names[depth] = typeof value === 'string' ? value : null;
      else if (typeof name === 'string') (isNested ? nested : members)[name] = value;
    }
    start = -1;
  };
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0;
    if (byte === QUOTE) {
      if (start === -1) start = index;
      index = endOfText(bytes, index);
    } else if (OPEN.includes(byte)) {
      depth += 1;
      start = -1;
      if (depth === 2) names[2] = null;
    } else if (CLOSE.includes(byte)) {
      end(index, byte);
      depth -= 1;
    } else if (byte === COMMA || byte === COLON) end(index, byte);
    else if (start === -1 && byte > 0x20) start = index;
  }
  return { ...members, ...(Object.keys(nested).length === 0 ? {} : { [NESTED]: nested }) };
}

/** Returns the index of the quote that ends a text. */
function endOfText(bytes: Uint8Array, start: number): number {
  let index = start + 1;
  for (; index < bytes.length && bytes[index] !== QUOTE; index += 1)
    if (bytes[index] === BACKSLASH) index += 1;
  return index;
}

function parsedIn(bytes: Uint8Array): JsonValue {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}
