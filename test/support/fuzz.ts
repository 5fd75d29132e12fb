import { expect } from 'bun:test';
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../src/proof/encoding/json.ts';
import type { Fetch } from './client.ts';
import { parametersOf } from './openapi.ts';

interface Operation {
  method: string;
  path: string;
  statuses: string[];
  query: string[];
  example: JsonValue;
}

/** Every operation of an OpenAPI document. */
function operationsOf(document: JsonObject): Operation[] {
  return Object.entries(Object(document.paths)).flatMap(([path, item]) =>
    Object.entries(Object(item)).map(([method, operation]) => {
      const { responses, requestBody = {} } = Object(operation);
      return {
        method: method.toUpperCase(),
        path,
        statuses: Object.keys(responses),
        query: parametersOf(document, operation).flatMap((parameter) =>
          parameter.in === 'query' ? [String(parameter.name)] : [],
        ),
        example: requestBody.content?.['application/json']?.example ?? null,
      };
    }),
  );
}

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 1100 }),
  fc.constantFrom('GET', '../..', '%00', '%ff', '__proto__', 'constructor', '\u0000', '9'.repeat(400), ''),
);
const encoded = (word: string): string => encodeURIComponent(word.toWellFormed());
/**
 * Returns a path segment. Replaces an empty one and those that a URL resolves away, because these would
 * change the path.
 */
const segment = (word: string): string => (/^\.{0,2}$/.test(word) ? '-' : encoded(word));

/**
 * Returns the example with some members replaced, removed or added, any other value, or text that is not
 * JSON.
 */
function bodyFor(example: JsonValue): fc.Arbitrary<string | null> {
  const members = example !== null && typeof example === 'object' ? Object.entries(example) : [];
  const names = fc.constantFrom(...members.map(([name]) => name), 'unheard_of', '__proto__');
  const changed = fc
    .array(fc.tuple(names, fc.oneof(fc.jsonValue(), text, fc.constant(undefined))), { maxLength: 2 })
    .map((changes) => JSON.stringify(Object.fromEntries([...members, ...changes])));
  return fc.oneof(
    { weight: 4, arbitrary: changed },
    fc.constant(null),
    fc.constantFrom('null', '[]', '{}', '0', '""'),
    fc.json(),
    fc.string({ unit: 'binary' }),
  );
}

/**
 * Sends random requests to every operation of the document. Checks that each response is documented, that
 * none is a 5xx, and that every response declared as JSON, and every error, is JSON. `words` are existing ids
 * and keys.
 */
export async function fuzz(
  fetch: Fetch,
  document: JsonObject,
  authorizations: readonly (string | null)[],
  words: readonly string[],
  runs: number,
): Promise<void> {
  const value = fc.oneof(text, fc.constantFrom(...words));
  const request = fc.constantFrom(...operationsOf(document)).chain((operation) =>
    fc.record({
      operation: fc.constant(operation),
      values: fc.array(value, { minLength: 3, maxLength: 3 }),
      query: fc.array(
        fc.tuple(fc.constantFrom(...operation.query, 'x'), fc.oneof(value, fc.constantFrom('1', '100'))),
        { maxLength: 2 },
      ),
      body: bodyFor(operation.example),
      authorization: fc.constantFrom(...authorizations),
      once: fc.option(fc.oneof(fc.constantFrom('a', 'b'), fc.string({ maxLength: 300 }))),
      type: fc.constantFrom('application/json', 'application/json', 'text/plain'),
    }),
  );
  await fc.assert(
    fc.asyncProperty(request, async ({ operation, values, query, body, authorization, once, type }) => {
      const { method, statuses } = operation;
      const path = operation.path.replaceAll(/\{[^}]*\}/g, () => segment(values.pop() ?? ''));
      const search = query.map(([name, word]) => `${name}=${encoded(word)}`).join('&');
      const headers = new Headers({ 'content-type': type });
      if (authorization !== null) headers.set('authorization', authorization);
      if (once !== null && /^[\x20-\x7e]*$/.test(once)) headers.set('idempotency-key', once);
      const init: RequestInit = { method, headers };
      if (body !== null && method !== 'GET') init.body = body;
      const response = await fetch(
        new Request(`http://localhost${path}${search === '' ? '' : `?${search}`}`, init),
      );
      const text = await response.text();
      expect(statuses, `${method} ${path} ${search}: ${text}`).toContain(String(response.status));
      expect(response.status, text).toBeLessThan(500);
      const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
      expect(isJson || response.status < 400).toBe(true);
      if (isJson) expect(() => JSON.parse(text)).not.toThrow();
    }),
    { numRuns: runs },
  );
}
