import type { JsonValue } from '../../src/proof/encoding/json.ts';

/** A key, token or secret: a prefix that says what it is, and random letters, also in base64. */
const SECRET =
  /^(?<prefix>(?:pp|svc|claim|ses|whk|whsec|adm)_|mpk_(?:test|live)_)(?<random>[\w+/]{32,})(?<end>=*)$/;

/** The address of the demonstration's receiver of webhooks, whose port differs each time. */
const RECEIVER = /http:\/\/127\.0\.0\.1:\d+\/webhooks/g;

/** The number of characters up to which a list keeps further members than its first. */
const LIST_LENGTH = 2000;

/** The key list, with whose keys all other examples verify. */
const KEYS = 'listTransparencyKeys';

/**
 * Returns a response as the documentation shows it: secrets are zeros, and the lists of operations that list
 * something are short. Other responses may be signed as a whole.
 */
export function publicForm(operation: string, response: JsonValue): JsonValue {
  const publicResponse = withoutSecrets(response);
  if (operation === KEYS) return shortened(publicResponse, withoutLargeKeys);
  return operation.startsWith('list') ? shortened(publicResponse, firstOf) : publicResponse;
}

/** Shortens all lists in a value. */
function shortened(
  value: JsonValue,
  shorten: (list: readonly JsonValue[]) => readonly JsonValue[],
): JsonValue {
  if (Array.isArray(value)) return shorten(value).map((member) => shortened(member, shorten));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, shortened(member, shorten)]),
  );
}

/** Returns the first members of a list. */
function firstOf(list: readonly JsonValue[]): readonly JsonValue[] {
  let length = 0;
  return list.filter((member, index) => {
    length += JSON.stringify(member).length;
    return index === 0 || length <= LIST_LENGTH;
  });
}

/** Returns a list with only the first of its keys that are as long as those of ML-DSA. */
function withoutLargeKeys(keys: readonly JsonValue[]): readonly JsonValue[] {
  const isLarge = (key: JsonValue): boolean => JSON.stringify(key).length > LIST_LENGTH;
  const first = keys.find(isLarge);
  return keys.filter((key) => key === first || !isLarge(key));
}

function withoutSecrets(value: JsonValue): JsonValue {
  if (typeof value === 'string') {
    const { prefix = null, random = '', end = '' } = SECRET.exec(value)?.groups ?? {};
    if (prefix !== null) return prefix + '0'.repeat(random.length) + end;
    return value.replaceAll(RECEIVER, 'https://hooks.acme.example/countersign');
  }
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutSecrets(member)]));
}
