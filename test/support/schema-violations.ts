import type { JsonObject, JsonValue } from '../../src/proof/encoding/json.ts';
import { parametersOf } from './openapi.ts';

/** A request that its operation's schema forbids, and the only field that is wrong. */
export interface Violation {
  /** A complete sentence. */
  name: string;
  operationId: string;
  /** Method and path with the query. */
  request: string;
  /** Undefined for a request without a body. */
  body: JsonValue | undefined;
  field: string;
}

type Schema = Readonly<Record<string, unknown>>;

/**
 * Returns a request for each rule that an OpenAPI document states about a parameter or a member of a body:
 * the operation's own example with one value changed.
 */
export function violationsOf(document: JsonObject): Violation[] {
  const resolve = (schema: unknown): Schema => {
    const { $ref, ...rest } = Object(schema);
    if (typeof $ref !== 'string') return rest;
    return { ...resolve(Object(document.components).schemas[$ref.split('/').at(-1) ?? '']), ...rest };
  };
  return Object.entries(Object(document.paths)).flatMap(([path, item]) =>
    Object.entries(Object(item)).flatMap(([method, value]) => {
      const operation = Object(value);
      const parameters: Parameter[] = parametersOf(document, operation).map(
        ({ name, in: place, schema, ...rest }) => ({
          ...rest,
          name: String(name),
          in: String(place),
          schema: resolve(schema),
        }),
      );
      const media = operation.requestBody?.content?.['application/json'];
      const base: Base = {
        operationId: operation.operationId,
        method: method.toUpperCase(),
        path,
        parameters,
        body: media?.example,
      };
      const ofParameters = parameters.flatMap((one) => parameterViolations(base, one));
      const schema = resolve(media?.schema);
      return [...ofParameters, ...(schema.type === 'object' ? bodyViolations(base, schema, resolve) : [])];
    }),
  );
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: Schema;
  example?: unknown;
}

/** An operation with its example. */
interface Base {
  operationId: string;
  method: string;
  path: string;
  parameters: readonly Parameter[];
  body: JsonValue | undefined;
}

function parameterViolations(base: Base, parameter: Parameter): Violation[] {
  if (parameter.in !== 'query') return [];
  const { name, schema, required } = parameter;
  const wrong: [what: string, value: string | null][] = wrongValues(schema).map(([what, value]) => [
    what,
    String(value),
  ]);
  if (schema.type === 'integer') wrong.push(['is no number', 'abc']);
  if (required === true) wrong.push(['is missing', null]);
  return wrong.map(([what, value]) => ({
    name: `${base.operationId}: ${name} ${what}`,
    operationId: base.operationId,
    request: requestLine(base, { [name]: value }),
    body: base.body,
    field: name,
  }));
}

function bodyViolations(base: Base, schema: Schema, resolve: (schema: unknown) => Schema): Violation[] {
  const { required = [], properties = {}, additionalProperties } = Object(schema);
  const example: JsonObject = Object(base.body);
  const violations: [what: string, field: string, body: JsonValue][] = [];
  for (const name of required) {
    const { [name]: _, ...rest } = example;
    violations.push([`${name} is missing`, name, rest]);
  }
  if (additionalProperties === false) {
    violations.push(['unheard_of is no member', 'unheard_of', { ...example, unheard_of: 1 }]);
  }
  for (const [name, property] of Object.entries(properties)) {
    for (const [what, value] of [...wrongTypes(resolve(property)), ...wrongValues(resolve(property))])
      violations.push([`${name} ${what}`, name, { ...example, [name]: value }]);
  }
  return violations.map(([what, field, body]) => ({
    name: `${base.operationId}: ${what}`,
    operationId: base.operationId,
    request: requestLine(base, {}),
    body,
    field,
  }));
}

/** Returns values of another type, each with what is wrong. */
function wrongTypes({ type, nullable }: Schema): [what: string, value: JsonValue][] {
  switch (type) {
    case 'string':
      return nullable === true
        ? [['is a number', 7]]
        : [
            ['is a number', 7],
            ['is null', null],
          ];
    case 'integer':
      return [
        ['is text', '7'],
        ['is no whole number', 7.5],
      ];
    case 'number':
    case 'boolean':
      return [['is text', 'true']];
    case 'object':
      return [['is a list', []]];
    case 'array':
      return [['is an object', {}]];
    default:
      return [];
  }
}

/** Returns values of the right type that a schema forbids, each with what is wrong. */
function wrongValues(schema: Schema): [what: string, value: string | number][] {
  const { type, minimum, maximum, minLength, maxLength, pattern, format } = schema;
  const wrong: [what: string, value: string | number][] = [];
  if (typeof minimum === 'number') wrong.push([`is below ${minimum}`, minimum - 1]);
  // The next one is no other number in JavaScript.
  if (typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER)
    wrong.push([`is above ${maximum}`, maximum + 1]);
  if (Array.isArray(schema.enum)) wrong.push(['is none of its values', 'unheard_of']);
  if (type !== 'string') return wrong;
  if (typeof minLength === 'number' && minLength > 0) wrong.push(['is empty', '']);
  if (typeof maxLength === 'number') wrong.push([`is longer than ${maxLength}`, 'a'.repeat(maxLength + 1)]);
  const control = '\u0007';
  if (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(control)) {
    wrong.push(['does not match its pattern', control]);
  }
  if (format === 'date-time' || format === 'date') wrong.push([`is no ${format}`, '2026-02-31T00:00:00Z']);
  return wrong;
}

/** Returns the request of an operation's example. @param changes of the query; null leaves a parameter out */
function requestLine({ method, path, parameters }: Base, changes: Record<string, string | null>): string {
  const query = new URLSearchParams();
  let location = path;
  for (const { name, in: where, required, schema, example } of parameters) {
    const value = example ?? Object(schema.examples)[0] ?? schema.default ?? Object(schema.enum)[0] ?? 'x';
    if (where === 'path') location = location.replace(`{${name}}`, encodeURIComponent(String(value)));
    else if (where === 'query' && required === true) query.set(name, String(value));
  }
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  return `${method} ${location}${text === '' ? '' : `?${text}`}`;
}
