import type { Client, Operation, Parameter, Service } from './model.ts';
import { type Json, listOf, objectOf, type Schemas } from './schemas.ts';
import { typeOf } from './typescript-types.ts';

/** What values a parameter or a member has: a kind, or the values themselves. */
type Values = 'string' | 'number' | 'boolean' | 'object' | 'list' | 'any' | readonly string[];

/** An operation in `src/sdk/operations.json`. */
interface Row {
  service: Client['name'];
  group: string;
  verb: string;
  operation: string;
  method: string;
  path: string;
  key: Operation['key'];
  /** Whether it takes an Idempotency-Key. */
  idempotent?: true;
  /** Whether an agent can authorize it. */
  agent?: true;
  /** The parameters of the query by name, with `?` behind those that may be absent. */
  query?: Readonly<Record<string, Values>>;
  headers?: readonly string[];
  /** The same of the members of the body. */
  body?: Readonly<Record<string, Values>>;
  /** Whether the body may be absent. */
  optional_body?: true;
  /** The types of the forms of the response, by media type. */
  returns: Readonly<Record<string, string>>;
  /** Of a list with a cursor: the member of a page with its rows. */
  rows?: string;
}

/**
 * Returns the table of operations as JSON, an operation to a line: what the SDKs and the command line offer.
 * It is committed, so that a change of a document shows in a review as a change of the SDKs.
 */
export function operationsText(services: readonly Service[]): string {
  const lines = services.flatMap(({ clients, schemas }) =>
    clients.flatMap(({ name, operations }) =>
      operations.map((operation) => JSON.stringify(rowOf(name, operation, schemas))),
    ),
  );
  return `[\n${lines.map((line) => `  ${line}`).join(',\n')}\n]\n`;
}

function rowOf(service: Row['service'], operation: Operation, schemas: Schemas): Row {
  const { group, verb, id, method, path, key, query, headers, body, forms, rows } = operation;
  return {
    service,
    group,
    verb,
    operation: id,
    method,
    path,
    key,
    ...(operation.isIdempotent && { idempotent: true }),
    ...(operation.takesAgent && { agent: true }),
    ...(query.length > 0 && { query: typesByName(query, schemas) }),
    ...(headers.length > 0 && { headers: headers.map(({ name }) => name) }),
    ...(body !== null && { body: bodyTypes(body.schema, schemas) }),
    ...(body?.isRequired === false && { optional_body: true }),
    returns: Object.fromEntries(forms.map(({ type, schema }) => [type, typeOf(schema)])),
    ...(rows !== null && { rows: rows.member }),
  };
}

const typesByName = (parameters: readonly Parameter[], schemas: Schemas): Record<string, Values> =>
  Object.fromEntries(
    parameters.map(({ name, isRequired, schema }) => [marked(name, isRequired), valuesOf(schema, schemas)]),
  );

function bodyTypes(schema: Json, schemas: Schemas): Record<string, Values> {
  const members = [...schemas.membersOf(schema)];
  return Object.fromEntries(
    members.map(([name, member]) => [marked(name, member.isRequired), valuesOf(member.schema, schemas)]),
  );
}

const marked = (name: string, isRequired: boolean): string => (isRequired ? name : `${name}?`);

/** Returns what values a schema has, without null. Alternatives of several kinds are `any`. */
function valuesOf(schema: Json, schemas: Schemas): Values {
  const whole = schemas.resolved(schema);
  if (whole.enum !== undefined) return listOf(whole.enum).map(String);
  if (whole.const !== undefined) return typeof whole.const === 'boolean' ? 'boolean' : [String(whole.const)];
  const alternatives = listOf(whole.oneOf ?? whole.anyOf ?? whole.allOf ?? [])
    .map(objectOf)
    .filter(({ type }) => type !== 'null')
    .map((one) => valuesOf(one, schemas));
  const [first = 'any', ...others] = alternatives;
  if (alternatives.length > 0) {
    if (alternatives.every((one) => typeof one === 'object')) return [...new Set(alternatives.flat())];
    return others.every((one) => one === first) ? first : 'any';
  }
  switch (whole.type) {
    case 'string':
    case 'boolean':
    case 'object':
      return whole.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return 'list';
    default:
      return 'any';
  }
}

/**
 * Returns a line for each type of the SDKs. It is committed with the tests, so that a change of a type shows
 * in a review.
 */
export function typesText(services: readonly Service[]): string {
  return services
    .flatMap(({ name, schemas }) =>
      [...schemas.named].map(([type, schema]) => `${name} ${type}: ${typeOf(schema)}\n`),
    )
    .join('');
}
