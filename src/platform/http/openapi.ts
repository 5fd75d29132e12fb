import { swagger } from '@elysiajs/swagger';
import { type AnyElysia, Elysia } from 'elysia';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../proof/encoding/json.ts';
import { toOpenApi30 } from './openapi30.ts';
import { documentedResponses } from './responses.ts';

export interface ApiDescription {
  openapi: '3.1.0' | '3.0.3';
  title: string;
  /** The version of the interface, not of the program. */
  version: string;
  description: string;
  serverUrl: string;
  securitySchemes: JsonObject;
  /** The schemes, any one of which opens an operation that says nothing else. */
  security: readonly string[];
  /** What a 429 says of operations that only need a key: whoever has none is counted. */
  guesses: string;
  /**
   * Headers of responses by name, with what they say: of every response, of every one to a key, and of some statuses. All but
   * the `optional` ones are always there.
   */
  headers: {
    all: Headers;
    keyed: Headers;
    byStatus: Readonly<Record<string, Headers>>;
    optional: readonly string[];
  };
  /** The status of a request with an Idempotency-Key that came with another body before. */
  idempotencyConflict: 409 | 422;
  tags: { name: string; description: string }[];
}

type Headers = Readonly<Record<string, string>>;

/** The same routes, with all responses that the document shows. */
function withProblems(plugin: AnyElysia): AnyElysia {
  for (const { hooks } of plugin.routes) {
    if (hooks.response !== undefined) hooks.response = documentedResponses(hooks.response);
  }
  return plugin;
}

const RAW_PATH = '/raw';

/**
 * The OpenAPI document of some routes. @elysiajs/swagger collects them; what it writes is then brought into the form
 * that the standard has: integers as integers, JSON as the only media type, described responses, named security.
 */
export async function openApiDocument(
  routes: readonly AnyElysia[],
  api: ApiDescription,
): Promise<JsonObject> {
  const collector = new Elysia().use(
    swagger({
      path: RAW_PATH,
      excludeStaticFile: false,
      documentation: { info: { title: api.title, version: api.version } },
    }),
  );
  for (const plugin of routes) collector.use(withProblems(plugin));
  // The plugin hides wildcards. What one stands for is a parameter with slashes in it.
  for (const route of collector.routes) route.path = route.path.replace('*', ':path');
  const response = await collector.handle(new Request(`http://localhost${RAW_PATH}/json`));
  const raw = parseJson(await response.text(), { maxDepth: 256 });
  const paths = isJsonObject(raw) && isJsonObject(raw.paths) ? raw.paths : {};
  const described = Object.fromEntries(
    Object.entries(paths)
      .filter(([path]) => !path.startsWith(RAW_PATH))
      .map(([path, item]) => [path, pathItem(item, api)]),
  );
  return {
    openapi: api.openapi,
    info: {
      title: api.title,
      version: api.version,
      description: api.description,
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers: [{ url: api.serverUrl }],
    tags: api.tags,
    paths: api.openapi === '3.0.3' ? toOpenApi30(described) : described,
    components: { securitySchemes: api.securitySchemes },
    security: api.security.map((name) => ({ [name]: [] })),
  };
}

/** The header that a route with `x-idempotent` in its detail takes. */
const idempotencyKey = ({ idempotencyConflict }: ApiDescription): JsonObject => ({
  name: 'Idempotency-Key',
  in: 'header',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  description:
    'Makes a repetition safe: for 24 hours the same key and body get the first 2xx answer again, with ' +
    `\`Idempotency-Replayed: true\`; another body is ${idempotencyConflict}. Secrets are null in a replay.`,
});

const REPLAYED: Headers = { 'Idempotency-Replayed': '`true` when this is the first answer again.' };

function pathItem(item: JsonValue, api: ApiDescription): JsonValue {
  if (!isJsonObject(item)) return item;
  return Object.fromEntries(
    Object.entries(item).map(([method, operation]) => [method, operationOf(operation, api)]),
  );
}

function operationOf(operation: JsonValue, api: ApiDescription): JsonValue {
  if (!isJsonObject(operation)) return operation;
  const { parameters, requestBody, responses, ...said } = operation;
  const {
    'x-idempotent': idempotent = false,
    'x-optional-body': isOptional = false,
    'x-answer-headers': answerHeaders = null,
    'x-status-headers': statusHeaders = null,
    ...rest
  } = said;
  const tidy: JsonObject = rest;
  // The plugin adds a bare one for what it does not find among those of the schema.
  const given = Array.isArray(parameters) ? parameters.map(parameterOf) : [];
  const known = [
    ...new Map(given.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter])).values(),
  ];
  const all = idempotent === true ? [...known, idempotencyKey(api)] : known;
  if (all.length > 0) tidy.parameters = all;
  if (isJsonObject(requestBody))
    tidy.requestBody = {
      ...requestBody,
      required: isOptional !== true,
      content: jsonOnly(requestBody.content),
    };
  tidy.responses = isJsonObject(responses)
    ? Object.fromEntries(
        Object.entries(withGuesses(responses, api)).map(([status, answer]) => {
          const { all, keyed, byStatus } = api.headers;
          // A missing key and a body that is too large are refused before anybody is known.
          const isKeyed = rest.security === undefined && status !== '401' && status !== '413';
          const replays: Headers = idempotent === true && status.startsWith('2') ? REPLAYED : {};
          const own = /^[23]/.test(status) ? headersOf(answerHeaders) : {};
          const ofStatus = isJsonObject(statusHeaders) ? headersOf(statusHeaders[status] ?? null) : {};
          const always = { ...all, ...(isKeyed ? keyed : {}), ...byStatus[status], ...ofStatus };
          // Who guesses keys is refused before anybody is known, too.
          const unknown: Headers = status === '429' ? keyed : {};
          const optional = [...api.headers.optional, ...Object.keys({ ...replays, ...own, ...unknown })];
          return [status, responseOf(status, answer, { ...always, ...replays, ...own }, optional)];
        }),
      )
    : {};
  return tidy;
}

/** Every operation that refuses a key refuses who tries too many: a 429 like its 401, unless it describes one itself. */
function withGuesses(responses: JsonObject, { guesses }: ApiDescription): JsonObject {
  const { 401: refused = null, 429: own = null } = responses;
  if (!isJsonObject(refused) || own !== null) return responses;
  const { schema } = jsonOnly(refused.content)['application/json'];
  const described = { ...(isJsonObject(schema) ? schema : {}), description: guesses };
  return { ...responses, 429: { content: { 'application/json': { schema: described } } } };
}

/**
 * What a route says in its detail of the headers of its responses, descriptions by name: in `x-answer-headers` of those that
 * responses other than refusals may have, in `x-status-headers` of those that every response of a status has.
 */
function headersOf(said: JsonValue): Headers {
  if (!isJsonObject(said)) return {};
  return Object.fromEntries(Object.entries(said).map(([name, text]) => [name, String(text)]));
}

function parameterOf(parameter: JsonValue): JsonObject {
  const {
    name = '',
    in: place = '',
    required = false,
    description = null,
    examples = null,
    schema = {},
  } = isJsonObject(parameter) ? parameter : {};
  const tidy: JsonObject = { name: name === '*' ? 'path' : name, in: place, schema: schemaOf(schema) };
  if (required === true) tidy.required = true;
  if (description !== null) tidy.description = description;
  // What need not be given stays out of a request that is only tried out.
  if (Array.isArray(examples) && required === true) tidy.example = examples[0] ?? null;
  return tidy;
}

const SENTENCES: Record<string, string> = { 200: 'OK', 201: 'Created', 202: 'Accepted', 503: 'Unavailable' };

function responseOf(
  status: string,
  answer: JsonValue,
  headers: Headers,
  optional: readonly string[],
): JsonValue {
  // An answer without a body has no content. The plugin moves the description of an object out of its schema.
  const { content = null, ...beside } = isJsonObject(answer) ? answer : {};
  const { schema } = content === null ? { schema: beside } : jsonOnly(content)['application/json'];
  const { description = beside.description ?? null, ...said } = isJsonObject(schema) ? schema : {};
  const forms = said['x-forms'] === true && Array.isArray(said.anyOf) ? said.anyOf : [said];
  return {
    description:
      typeof description === 'string' && description !== '' ? description : (SENTENCES[status] ?? 'Refused'),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, said]) => [
        name,
        {
          description: said,
          ...(optional.includes(name) ? {} : { required: true }),
          schema: { type: 'string' },
        },
      ]),
    ),
    ...(content === null || said['x-no-content'] === true
      ? {}
      : { content: Object.fromEntries(forms.map(formOf)) }),
  };
}

/** One form of an answer: its media type, and what it is. */
function formOf(schema: JsonValue): [string, JsonObject] {
  const { 'x-media-type': mediaType = 'application/json', ...bare } = isJsonObject(schema) ? schema : {};
  return [String(mediaType), { schema: bare }];
}

/** The JSON form of a body, its first example beside the schema, where "Try it out" looks for it. */
function jsonOnly(content: JsonValue | undefined): { 'application/json': JsonObject } {
  const json = isJsonObject(content) ? content['application/json'] : undefined;
  const schema = schemaOf(isJsonObject(json) ? (json.schema ?? {}) : {});
  const { examples = null, ...bare } = isJsonObject(schema) ? schema : {};
  const media: JsonObject = { schema: bare };
  if (Array.isArray(examples)) media.example = examples[0] ?? null;
  return { 'application/json': media };
}

/** A schema as the standard would write it; `x-schema` replaces what only the validator needs. */
function schemaOf(schema: JsonValue): JsonValue {
  if (Array.isArray(schema)) return schema.map(schemaOf);
  if (!isJsonObject(schema)) return schema;
  if (isJsonObject(schema['x-schema'])) {
    const words = Object.entries(schema).filter(([name]) => name === 'description' || name === 'examples');
    return { ...Object(schemaOf(schema['x-schema'])), ...Object.fromEntries(words) };
  }
  const names = namesOf(schema.anyOf);
  if (names !== null) {
    const { anyOf: _, ...rest } = schema;
    return { type: 'string', ...rest, enum: names };
  }
  const members = Object.entries(schema).filter(([member]) => member !== 'x-complaint');
  return Object.fromEntries(members.map(([member, value]) => [member, schemaOf(value)]));
}

function namesOf(anyOf: JsonValue | undefined): string[] | null {
  if (!Array.isArray(anyOf)) return null;
  const names = anyOf.map((choice) => (isJsonObject(choice) ? choice.const : undefined));
  return names.every((name) => typeof name === 'string') ? names : null;
}
