import { wordsOf } from '../../src/sdk/words.ts';
import { parametersOf } from '../../test/support/openapi.ts';
import type { Documents } from './documents.ts';
import { type Json, listOf, objectOf, Schemas, textOf } from './schemas.ts';

/** A parameter of the path or the query, or a required header. */
export interface Parameter {
  name: string;
  isRequired: boolean;
  schema: Json;
  description: string;
}

/** A form of a successful response. */
export interface Media {
  /** What the method of this form has at its end: empty for the first one, `html` for a page. */
  suffix: string;
  /** The value of Accept. */
  type: string;
  /** How the body is read. */
  reads: 'json' | 'text' | 'bytes';
  schema: Json;
}

/** An operation, as both generators and the table of operations need it. */
export interface Operation {
  group: string;
  verb: string;
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  /** The parameters of the path, in its order. */
  places: readonly Parameter[];
  query: readonly Parameter[];
  /** The headers of a request but Idempotency-Key: signatures of others over the body. */
  headers: readonly Parameter[];
  body: { schema: Json; isRequired: boolean } | null;
  /** Whether it takes an Idempotency-Key. */
  isIdempotent: boolean;
  /** Whether it takes a key. */
  key: 'none' | 'optional' | 'required';
  /** Whether an agent can authorize it, by the member `agent_auth` of its body. */
  takesAgent: boolean;
  /** The forms of its response, JSON first. */
  forms: readonly [Media, ...Media[]];
  /** Whether a successful response can be without a body. */
  canBeEmpty: boolean;
  /** Of a list with a cursor: the member of a page that has the rows, and the schema of a row. */
  rows: { member: string; schema: Json } | null;
  /** The codes of its errors. */
  errors: readonly string[];
}

/** A client class of the SDKs: the operations of a document. */
export interface Client {
  name: 'trust' | 'staffing' | 'staffing-admin';
  operations: readonly Operation[];
}

/** The types of a service, and its clients. */
export interface Service {
  name: 'trust' | 'staffing';
  clients: readonly Client[];
  schemas: Schemas;
  /** The events that it sends, by name, with the schema of a delivery's body. */
  events: Readonly<Record<string, Json>>;
}

/** Returns what the SDKs have of the documents. @throws Error for what they cannot express */
export function modelOf({ trustEvents, ...documents }: Documents): Service[] {
  const [trust, staffing, admin] = [
    objectOf(documents.trust),
    objectOf(documents.staffing),
    objectOf(documents['staffing-admin']),
  ];
  return [
    { ...serviceOf('trust', [['trust', trust]]), events: deliveriesOf(trustEvents) },
    serviceOf('staffing', [
      ['staffing', staffing],
      ['staffing-admin', admin],
    ]),
  ];
}

function serviceOf(name: Service['name'], documents: readonly [Client['name'], Json][]): Service {
  const schemas = new Schemas(documents.map(([, document]) => document));
  return {
    name,
    schemas,
    clients: documents.map(([client, document]) => ({
      name: client,
      operations: operationsOf(document, schemas),
    })),
    events: Object.assign({}, ...documents.map(([, document]) => eventsOf(document))),
  };
}

function operationsOf(document: Json, schemas: Schemas): Operation[] {
  return Object.entries(objectOf(document.paths))
    .flatMap(([path, item]) =>
      Object.entries(objectOf(item)).map(([method, operation]) =>
        operationOf(method.toUpperCase(), path, objectOf(operation), document, schemas),
      ),
    )
    .sort((one, other) => (one.group < other.group ? -1 : one.group > other.group ? 1 : 0));
}

function operationOf(
  method: string,
  path: string,
  operation: Json,
  document: Json,
  schemas: Schemas,
): Operation {
  const id = textOf(operation.operationId);
  const parameters = parametersOf(document, operation);
  const at = (place: string): Parameter[] =>
    parameters.filter((parameter) => parameter.in === place).map(parameterOf);
  const responses = Object.entries(objectOf(operation.responses)).map(([status, response]) => ({
    status,
    response: schemas.resolved(objectOf(response)),
  }));
  const successes = responses.filter(({ status }) => /^2/.test(status));
  const [first, ...others] = formsOf(successes.map(({ response }) => response));
  if (first === undefined) throw new Error(`${id} has no response with a body`);
  const rows = rowsOf(method, at('query'), first.schema, schemas);
  const body = operation.requestBody === undefined ? null : bodyOf(objectOf(operation.requestBody));
  const security = listOf(operation.security ?? document.security).map(objectOf);
  const takesKey = security.some((one) => Object.keys(one).some((name) => name !== 'session'));
  const isOpen = security.some((one) => Object.keys(one).length === 0);
  return {
    ...wordsOf(textOf(listOf(operation.tags)[0]), id),
    id,
    method,
    path,
    summary: textOf(operation.summary),
    description: textOf(operation.description),
    places: at('path'),
    query: at('query'),
    headers: at('header').filter(({ name }) => name !== 'Idempotency-Key'),
    body,
    isIdempotent: at('header').some(({ name }) => name === 'Idempotency-Key'),
    key: takesKey ? (isOpen ? 'optional' : 'required') : 'none',
    takesAgent: body !== null && schemas.membersOf(body.schema).has('agent_auth'),
    // An SDK reads a list page by page, and never as a file.
    forms: rows === null ? [first, ...others] : [first],
    canBeEmpty: successes.some(({ response }) => Object.keys(objectOf(response.content)).length === 0),
    rows,
    errors: errorsOf(responses.map(({ response }) => response)),
  };
}

function parameterOf({ name, required = false, schema, description = '' }: Json): Parameter {
  return {
    name: textOf(name),
    isRequired: required === true,
    schema: objectOf(schema),
    description: textOf(description),
  };
}

function bodyOf({ content, required = false }: Json): NonNullable<Operation['body']> {
  const { schema } = objectOf(objectOf(content)['application/json']);
  return { schema: objectOf(schema), isRequired: required === true };
}

/** The suffixes of the forms that are not the first one. */
const SUFFIXES: Readonly<Record<string, string>> = {
  'text/html; charset=utf-8': 'html',
  'image/svg+xml': 'svg',
  'application/scitt-receipt+cose': 'cose',
  'application/x-ndjson': 'ndjson',
  'text/csv; charset=utf-8': 'csv',
};

/** The same document as in application/json, or the response to a request that no SDK sends. */
const SAME = new Set(['application/vc', 'application/x-protobuf', 'text/csv']);

/** Returns the forms of the responses of an operation, JSON first, each media type once. */
function formsOf(responses: readonly Json[]): Media[] {
  const schemas = new Map<string, Json[]>();
  for (const { content } of responses)
    for (const [type, media] of Object.entries(objectOf(content))) {
      if (SAME.has(type)) continue;
      const schema = objectOf(objectOf(media).schema);
      const known = schemas.get(type) ?? [];
      if (!known.some((one) => Bun.deepEquals(one, schema))) schemas.set(type, [...known, schema]);
    }
  const forms = [...schemas].map(([type, all]): Omit<Media, 'suffix'> => {
    const [only = {}, ...others] = all;
    return { type, reads: readingOf(type), schema: others.length === 0 ? only : { anyOf: all } };
  });
  const sorted = forms.toSorted(
    (one, other) => Number(other.reads === 'json') - Number(one.reads === 'json'),
  );
  return sorted.map((form, index) => {
    if (index === 0) return { ...form, suffix: '' };
    const suffix = SUFFIXES[form.type];
    if (suffix === undefined) throw new Error(`the media type ${form.type} has no suffix in scripts/sdk`);
    return { ...form, suffix };
  });
}

const TEXTS = new Set(['image/svg+xml', 'application/x-ndjson']);

function readingOf(type: string): Media['reads'] {
  if (/^application\/(?:[\w.+-]+\+)?json$/.test(type)) return 'json';
  return type.startsWith('text/') || TEXTS.has(type) ? 'text' : 'bytes';
}

/** Returns the rows of a list with a cursor; null for any other operation. */
function rowsOf(
  method: string,
  query: readonly Parameter[],
  page: Json,
  schemas: Schemas,
): Operation['rows'] {
  const members = schemas.membersOf(page);
  if (method !== 'GET' || !query.some(({ name }) => name === 'cursor') || !members.has('next_cursor'))
    return null;
  const lists = [...members].filter(([, { schema }]) => schemas.resolved(schema).type === 'array');
  // In the staffing service, a page has other lists in addition to its rows.
  const [list, ...others] = members.has('data') ? lists.filter(([name]) => name === 'data') : lists;
  if (list === undefined || others.length > 0) {
    throw new Error(`a page has ${lists.length} lists: ${lists.map(([name]) => name).join(', ')}`);
  }
  const [member, { schema }] = list;
  return { member, schema: objectOf(schemas.resolved(schema).items) };
}

/** Returns the codes of the errors that the responses of an operation can have. */
function errorsOf(responses: readonly Json[]): string[] {
  const codes = responses.flatMap(({ content }) =>
    codesIn(objectOf(objectOf(objectOf(content)['application/json']).schema)),
  );
  return [...new Set(codes)];
}

function codesIn(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(codesIn);
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([name, value]) => {
    if (name !== 'reason_code' && name !== 'code') return codesIn(value);
    const { enum: all, const: one } = objectOf(value);
    return all === undefined ? (typeof one === 'string' ? [one] : []) : listOf(all).map(textOf);
  });
}

/** Returns the schemas of the bodies of the events in a document, by their names. */
function eventsOf(document: Json): Record<string, Json> {
  const events = Object.entries(objectOf(document.webhooks ?? document['x-webhooks'] ?? {}));
  return Object.fromEntries(
    events.map(([name, item]) => [name, bodyOf(objectOf(objectOf(objectOf(item).post).requestBody)).schema]),
  );
}

/** Returns the schemas of deliveries of the trust service, whose document does not have them. */
function deliveriesOf(events: Readonly<Record<string, unknown>>): Record<string, Json> {
  const text = { type: 'string' };
  return Object.fromEntries(
    Object.entries(events).map(([event, data]) => [
      event,
      {
        type: 'object',
        required: ['event', 'data', 'timestamp'],
        properties: { event: { const: event }, data, timestamp: text },
      },
    ]),
  );
}
