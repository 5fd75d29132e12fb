import { swagger } from '@elysiajs/swagger';
import { type TSchema, Type } from '@sinclair/typebox';
import { type AnyElysia, Elysia } from 'elysia';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../../proof/encoding/json.ts';
import { Components } from './components.ts';
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
  /** The 429 of operations that only need a key: whoever has none is counted. */
  failedAttempts: TSchema;
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

/** Examples of JSON responses: by the operation's id, then by status. */
export type OperationExamples = Readonly<Record<string, Readonly<Record<number, JsonValue>>>>;

/** What the operations of a document are written with. */
interface Writing {
  api: ApiDescription;
  examples: OperationExamples;
  components: Components;
  headers: SharedHeaders;
}

const JSON_TYPE = 'application/json';

/** The same routes, with all responses that the document shows. */
function withProblems(plugin: AnyElysia): AnyElysia {
  for (const { hooks } of plugin.routes) {
    // The hooks that read bodies do not say what type they read, and for those the plugin writes each schema three times.
    hooks.parse = [JSON_TYPE];
    if (hooks.response === undefined) continue;
    const responses = Object.entries(documentedResponses(hooks.response));
    hooks.response = Object.fromEntries(responses.map(([status, schema]) => [status, whole(schema)]));
  }
  return plugin;
}

/** Wraps a schema of a response: the plugin takes others apart, and loses some of their members. */
function whole(schema: TSchema): TSchema {
  return Type.Unsafe({ 'x-whole': schema });
}

const RAW_PATH = '/raw';

/**
 * Returns the OpenAPI document of some routes. @elysiajs/swagger collects them; what it writes is then brought into the form
 * that the standard has: integers as integers, JSON as the only media type, described responses, named security. Other requests
 * are answered in between: a whole document takes the main thread for a tenth of a second, the longest step for a fourth of that.
 */
export async function openApiDocument(
  routes: readonly AnyElysia[],
  api: ApiDescription,
  examples: OperationExamples = {},
): Promise<JsonObject> {
  const components = new Components();
  const headers = new SharedHeaders();
  const described: Record<string, JsonObject> = {};
  for (const plugin of routes) {
    await othersTurn();
    const paths = Object.entries(await collected(plugin, api));
    await othersTurn();
    for (const [path, item] of paths) {
      described[path] = { ...described[path], ...pathItem(item, { api, examples, components, headers }) };
    }
  }
  const body = { paths: described, components: { schemas: components.schemas, headers: headers.shared } };
  const written = api.openapi === '3.0.3' ? toOpenApi30(body) : body;
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
    paths: written.paths,
    components: { ...written.components, securitySchemes: api.securitySchemes },
    security: api.security.map((name) => ({ [name]: [] })),
  };
}

/** Resolves when the requests that came meanwhile had their turn. */
function othersTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Returns the paths of a plugin, as @elysiajs/swagger writes them. */
async function collected(plugin: AnyElysia, { title, version }: ApiDescription): Promise<JsonObject> {
  const collector = new Elysia().use(
    swagger({ path: RAW_PATH, excludeStaticFile: false, documentation: { info: { title, version } } }),
  );
  collector.use(withProblems(plugin));
  // The plugin hides wildcards. What one stands for is a parameter with slashes in it.
  for (const route of collector.routes) route.path = route.path.replace('*', ':path');
  const response = await collector.handle(new Request(`http://localhost${RAW_PATH}/json`));
  const raw = parseJson(await response.text(), { maxDepth: 256 });
  const paths = isJsonObject(raw) && isJsonObject(raw.paths) ? raw.paths : {};
  return Object.fromEntries(Object.entries(paths).filter(([path]) => !path.startsWith(RAW_PATH)));
}

/** The header that a route with `x-idempotent` in its detail takes. */
const idempotencyKey = ({ idempotencyConflict }: ApiDescription): JsonObject => ({
  name: 'Idempotency-Key',
  in: 'header',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  description:
    'Makes retries safe: for 24 hours, a request with the same key and body returns the first 2xx response again, with ' +
    `\`Idempotency-Replayed: true\`; another body is ${idempotencyConflict}. Secrets are null in a replay.`,
});

const REPLAYED: Headers = { 'Idempotency-Replayed': '`true` when this response is a replay.' };

function pathItem(item: JsonValue, writing: Writing): JsonObject {
  if (!isJsonObject(item)) return {};
  return Object.fromEntries(
    Object.entries(item).map(([method, operation]) => [method, operationOf(operation, writing)]),
  );
}

function operationOf(operation: JsonValue, writing: Writing): JsonValue {
  if (!isJsonObject(operation)) return operation;
  const { api } = writing;
  const { parameters, requestBody, responses, ...said } = operation;
  const {
    'x-idempotent': idempotent = false,
    'x-optional-body': isOptional = false,
    'x-answer-headers': answerHeaders = null,
    'x-status-headers': statusHeaders = null,
    ...rest
  } = said;
  const tidy: JsonObject = rest;
  const at = String(rest.operationId);
  // The plugin adds a bare one for what it does not find among those of the schema.
  const given = Array.isArray(parameters)
    ? parameters.map((parameter) => parameterOf(parameter, `the parameters of ${at}`, writing))
    : [];
  const known = [
    ...new Map(given.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter])).values(),
  ];
  const all = idempotent === true ? [...known, idempotencyKey(api)] : known;
  if (all.length > 0) tidy.parameters = all;
  if (isJsonObject(requestBody))
    tidy.requestBody = {
      ...requestBody,
      required: isOptional !== true,
      content: {
        [JSON_TYPE]: mediaOf(jsonSchemaOf(requestBody.content), `the body of ${at}`, writing),
      },
    };
  tidy.responses = isJsonObject(responses)
    ? Object.fromEntries(
        Object.entries(withFailedAttempts(responses, api)).map(([status, answer]) => {
          const { all, keyed, byStatus } = api.headers;
          // A missing key and a body that is too large are refused before anybody is known.
          const isKeyed = rest.security === undefined && status !== '401' && status !== '413';
          const replays: Headers = idempotent === true && status.startsWith('2') ? REPLAYED : {};
          const own = /^[23]/.test(status) ? headersOf(answerHeaders) : {};
          const ofStatus = isJsonObject(statusHeaders) ? headersOf(statusHeaders[status] ?? null) : {};
          const always = { ...all, ...(isKeyed ? keyed : {}), ...byStatus[status], ...ofStatus };
          // Who failedAttempts keys is refused before anybody is known, too.
          const unknown: Headers = status === '429' ? keyed : {};
          const optional = [...api.headers.optional, ...Object.keys({ ...replays, ...own, ...unknown })];
          const headers = writing.headers.of({ ...always, ...replays, ...own }, optional);
          return [status, responseOf(status, wholeOf(answer), headers, at, writing)];
        }),
      )
    : {};
  return tidy;
}

/** The schema of a response, as its route has it. */
function wholeOf(answer: JsonValue): JsonObject {
  const { content = null } = isJsonObject(answer) ? answer : {};
  const schema = jsonSchemaOf(content)['x-whole'] ?? null;
  return isJsonObject(schema) ? schema : {};
}

/** Every operation that refuses a key refuses who tries too many: a 429, unless it describes one itself. */
function withFailedAttempts(responses: JsonObject, { failedAttempts }: ApiDescription): JsonObject {
  if (responses[401] === undefined || responses[429] !== undefined) return responses;
  const schema = parseJson(JSON.stringify(whole(failedAttempts)));
  return { ...responses, 429: { content: { [JSON_TYPE]: { schema } } } };
}

/**
 * What a route says in its detail of the headers of its responses, descriptions by name: in `x-answer-headers` of those that
 * responses other than refusals may have, in `x-status-headers` of those that every response of a status has.
 */
function headersOf(said: JsonValue): Headers {
  if (!isJsonObject(said)) return {};
  return Object.fromEntries(Object.entries(said).map(([name, text]) => [name, String(text)]));
}

function parameterOf(parameter: JsonValue, at: string, { components }: Writing): JsonObject {
  const {
    name = '',
    in: place = '',
    required = false,
    description = null,
    examples = null,
    schema = {},
  } = isJsonObject(parameter) ? parameter : {};
  const tidy: JsonObject = {
    name: name === '*' ? 'path' : name,
    in: place,
    schema: components.schemaOf(schema, at),
  };
  if (required === true) tidy.required = true;
  if (description !== null) tidy.description = description;
  // What need not be given stays out of a request that is only tried out.
  if (Array.isArray(examples) && required === true) tidy.example = examples[0] ?? null;
  return tidy;
}

const SENTENCES: Record<string, string> = { 200: 'OK', 201: 'Created', 202: 'Accepted', 503: 'Unavailable' };

function responseOf(
  status: string,
  schema: JsonObject,
  headers: JsonObject,
  operation: string,
  writing: Writing,
): JsonValue {
  const { description = null, 'x-forms': inForms = false, ...bare } = schema;
  const forms = inForms === true && Array.isArray(bare.anyOf) ? bare.anyOf : [bare];
  const isEmpty = bare['x-no-content'] === true || bare.type === 'undefined';
  const at = `the response ${status} of ${operation}`;
  const example = writing.examples[operation]?.[Number(status)] ?? null;
  const content = forms.map((form) => formOf(form, example, at, writing));
  return {
    description:
      typeof description === 'string' && description !== '' ? description : (SENTENCES[status] ?? 'Refused'),
    headers,
    ...(isEmpty ? {} : { content: Object.fromEntries(content) }),
  };
}

/** One form of an answer: its media type, and what it is. `example` is of the form that is JSON, instead of its schema's. */
function formOf(schema: JsonValue, example: JsonValue, at: string, writing: Writing): [string, JsonObject] {
  const form = isJsonObject(schema) ? schema : {};
  // What replaces the schema of the validator may name the media type, too.
  const replaced = isJsonObject(form['x-schema']) ? form['x-schema'] : {};
  const { 'x-media-type': ofReplaced = JSON_TYPE, ...shown } = replaced;
  const { 'x-media-type': mediaType = ofReplaced, ...bare } = form;
  const own = bare['x-schema'] === undefined ? bare : { ...bare, 'x-schema': shown };
  const media = mediaOf(own, at, writing);
  const hasExample = mediaType === JSON_TYPE && example !== null;
  return [String(mediaType), hasExample ? { ...media, example } : media];
}

/** The schema that the plugin has for the JSON form of a body. */
function jsonSchemaOf(content: JsonValue | undefined): JsonObject {
  const json = isJsonObject(content) ? content[JSON_TYPE] : undefined;
  return isJsonObject(json) && isJsonObject(json.schema) ? json.schema : {};
}

/** A form of a body, its first example beside the schema, where "Try it out" looks for it. */
function mediaOf(given: JsonObject, at: string, { components }: Writing): JsonObject {
  const { examples = null, ...schema } = given;
  const [example = null] = Array.isArray(examples) ? examples : [];
  const media: JsonObject = { schema: components.schemaOf(schema, at) };
  if (example !== null) media.example = example;
  return media;
}

/** The headers of a document: those that several responses have are written once. */
class SharedHeaders {
  readonly shared: JsonObject = {};

  /** Returns headers of a response, `said` by their names. All but the `optional` ones are always there. */
  of(said: Headers, optional: readonly string[]): JsonObject {
    return Object.fromEntries(
      Object.entries(said).map(([name, description]) => {
        const required: JsonObject = optional.includes(name) ? {} : { required: true };
        return [name, this.reference(name, { description, ...required, schema: { type: 'string' } })];
      }),
    );
  }

  private reference(name: string, header: JsonObject): JsonObject {
    const known = this.shared[name] ?? header;
    if (JSON.stringify(known) !== JSON.stringify(header)) return header;
    this.shared[name] = known;
    return { $ref: `#/components/headers/${name}` };
  }
}
