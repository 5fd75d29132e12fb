import { isJsonObject, type JsonObject, type JsonValue } from '../../../proof/encoding/json.ts';

/** Returns an object with each member written anew. */
export function membersOf(
  value: JsonObject,
  written: (member: JsonValue, name: string) => JsonValue,
): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, written(member, name)]));
}

/**
 * Returns paths with each of their operations written anew.
 * @param paths as in an OpenAPI document
 */
export function operationsOf(paths: JsonObject, written: (operation: JsonObject) => JsonObject): JsonObject {
  return membersOf(paths, (item) =>
    isJsonObject(item)
      ? membersOf(item, (operation) => (isJsonObject(operation) ? written(operation) : operation))
      : item,
  );
}
