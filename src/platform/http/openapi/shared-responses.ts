import { isJsonObject, type JsonObject, type JsonValue } from '../../../proof/encoding/json.ts';
import { membersOf, operationsOf } from './members.ts';

/**
 * Moves the error responses of operations to components, named by status and codes, because most operations
 * have the same ones: written at each operation, they are more than half of the document. Responses with the
 * same codes that differ, such as in a header, are numbered from the second one on. A response without codes
 * stays in its operation.
 * @param paths as in an OpenAPI document
 */
export function shareResponses(paths: JsonObject): { paths: JsonObject; responses: JsonObject } {
  const shared = new Map<string, JsonValue>();
  const reference = (status: string, response: JsonValue): JsonValue => {
    const codes = /^[45]/.test(status) ? codesOf(response) : [];
    if (codes.length === 0) return response;
    const text = JSON.stringify(response);
    for (let number = 1; ; number++) {
      const name = [status, ...codes, ...(number === 1 ? [] : [number])].join('-');
      const known = shared.get(name);
      if (known !== undefined && JSON.stringify(known) !== text) continue;
      shared.set(name, response);
      return { $ref: `#/components/responses/${name}` };
    }
  };
  const written = operationsOf(paths, (operation) =>
    isJsonObject(operation.responses)
      ? { ...operation, responses: membersOf(operation.responses, (one, status) => reference(status, one)) }
      : operation,
  );
  const responses = Object.fromEntries([...shared].sort(([left], [right]) => (left < right ? -1 : 1)));
  return { paths: written, responses };
}

/**
 * Returns the codes that the schema of an error response allows, in its member reason_code or in the code of
 * its member error.
 */
function codesOf(response: JsonValue): string[] {
  const codes: string[] = [];
  const collect = (schema: JsonValue | undefined): void => {
    if (Array.isArray(schema)) for (const part of schema) collect(part);
    if (!isJsonObject(schema)) return;
    collect(schema.allOf);
    if (!isJsonObject(schema.properties)) return;
    const { reason_code, error, code } = schema.properties;
    collect(error);
    for (const one of [reason_code, code]) if (isJsonObject(one)) codes.push(...valuesOf(one));
  };
  if (isJsonObject(response) && isJsonObject(response.content)) {
    const media = response.content['application/json'];
    if (isJsonObject(media)) collect(media.schema);
  }
  return codes;
}

function valuesOf(schema: JsonObject): string[] {
  if (schema.const !== undefined) return [String(schema.const)];
  return Array.isArray(schema.enum) ? schema.enum.map(String) : [];
}
