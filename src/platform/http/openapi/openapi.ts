import { swagger } from '@elysiajs/swagger';
import { type TSchema, Type } from '@sinclair/typebox';
import { type AnyElysia, Elysia } from 'elysia';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../../proof/encoding/json.ts';
import { errorFormOf } from '../errors/error-form.ts';
import { pagesOfPaths } from '../routing/page-redirect.ts';
import { SeePage } from '../schema.ts';
import { Components } from './components.ts';
import { headerParameters, headersOf } from './declared-headers.ts';
import { type OperationTexts, withValues } from './descriptions.ts';
import { toOpenApi30 } from './openapi30.ts';
import type { ProblemsOf } from './problems.ts';
import { type Headers, SharedHeaders } from './shared-headers.ts';
import { shareParameters } from './shared-parameters.ts';
import { shareResponses } from './shared-responses.ts';
import { callbacksOf, type WebhookTable, webhookItems } from './webhooks.ts';

export interface ApiDescription {
  openapi: '3.1.0' | '3.0.3';
  title: string;
  /** The version of the API, not of the program. */
  version: string;
  description: string;
  serverUrl: string;
  securitySchemes: JsonObject;
  /** The security schemes of operations that declare none. Any one of them is sufficient. */
  security: readonly string[];
  /** The 429 of operations that require a key: it limits requests without a valid key. */
  failedAttempts: TSchema;
  /**
   * The descriptions of response headers by name: of every response, of every response to a key, and of some
   * statuses. All headers except the `optional` ones are always present.
   */
  headers: {
    all: Headers;
    keyed: Headers;
    byStatus: Readonly<Record<string, Headers>>;
    optional: readonly string[];
  };
  /** The status of a request whose Idempotency-Key was used with another body. */
  idempotencyConflict: 409 | 422;
  tags: { name: string; description: string }[];
}

/**
 * Examples of JSON responses, by the operation's id and by status. `body` is the example of the request and
 * `path` has those of its path parameters by name; they take the place of the schema's.
 */
export type OperationExamples = Readonly<
  Record<string, Readonly<Record<number, JsonValue> & { body?: JsonValue; path?: PathExamples }>>
>;

type PathExamples = Readonly<Record<string, string>>;

/** What a document has besides its routes. Loaded with the first request for the document. */
interface DocumentTexts {
  descriptions?: OperationTexts;
  /** Returns the problem responses of an operation, which only the document shows. */
  problemsOf?: ProblemsOf;
  examples?: OperationExamples;
  /** The events that the service sends, by name. */
  webhooks?: WebhookTable;
}

/** The input for writing the operations of a document. */
interface Writing {
  api: ApiDescription;
  descriptions: OperationTexts;
  examples: OperationExamples;
  components: Components;
  headers: SharedHeaders;
  /** The path items of the service's events, by name. */
  webhooks: Readonly<Record<string, JsonObject>>;
}

const JSON_TYPE = 'application/json';

/** Adds the responses that only the document shows to the routes of a plugin. */
function withProblems(
  plugin: AnyElysia,
  { descriptions = {}, problemsOf = () => ({}) }: DocumentTexts,
  pages: ReadonlySet<string>,
): AnyElysia {
  for (const { hooks, method, path } of plugin.routes) {
    if (method === 'GET' && pages.has(path)) describePage(hooks);
    // The hooks that read bodies declare no media type. The plugin would then write each schema three times.
    hooks.parse = [JSON_TYPE];
    if (hooks.response === undefined) continue;
    const operation = String(Object(hooks.detail).operationId);
    const problems = problemsOf(operation, descriptions[operation]?.errors ?? [], errorFormOf(hooks.detail));
    const responses = Object.entries<TSchema>({ ...problems, ...hooks.response });
    hooks.response = Object.fromEntries(responses.map(([status, schema]) => [status, whole(schema)]));
  }
  return plugin;
}

/** Describes the redirect of a route to its page. */
function describePage(hooks: AnyElysia['routes'][number]['hooks']): void {
  const { 'x-response-headers': headers = {}, 'x-status-headers': byStatus = {} } = Object(hooks.detail);
  hooks.response = { ...hooks.response, 303: SeePage };
  hooks.detail = {
    ...hooks.detail,
    'x-response-headers': { ...headers, Vary: 'Accept' },
    'x-status-headers': { ...byStatus, 303: { Location: 'The path of the page.' } },
  };
}

/** Wraps the schema of a response. Otherwise the plugin takes the schema apart and loses some members. */
function whole(schema: TSchema): TSchema {
  return Type.Unsafe({ 'x-whole': schema });
}

const RAW_PATH = '/raw';

/**
 * Returns the OpenAPI document of some routes. @elysiajs/swagger collects them, and this module converts the
 * result to the standard's form: integers as integers, JSON as the only media type, described responses,
 * named security. Other requests are served in between, because a whole document takes a tenth of a second on
 * the main thread; the longest step takes a quarter of that.
 *
 * The events of the service are in `webhooks`; in OpenAPI 3.0 in `x-webhooks`, which Redoc shows.
 */
export async function openApiDocument(
  routes: readonly AnyElysia[],
  api: ApiDescription,
  texts: DocumentTexts = {},
): Promise<JsonObject> {
  const { descriptions = {}, examples = {}, webhooks: events = {} } = texts;
  const components = new Components();
  const { webhooks, pathItems } = webhookItems(events, components);
  const headers = new SharedHeaders();
  const writing = { api, descriptions, examples, components, headers, webhooks };
  const described: Record<string, JsonObject> = {};
  const pages = new Set(pagesOfPaths(routes.flatMap((plugin) => plugin.routes)).keys());
  for (const plugin of routes) {
    await othersTurn();
    const paths = Object.entries(await collected(plugin, api, texts, pages));
    await othersTurn();
    for (const [path, item] of paths) {
      described[path] = { ...described[path], ...pathItem(item, writing) };
    }
  }
  const is30 = api.openapi === '3.0.3';
  const body = {
    paths: described,
    webhooks,
    components: { schemas: components.schemas, headers: headers.shared },
  };
  const written = is30 ? toOpenApi30(body) : body;
  const { paths: withParameters, parameters } = shareParameters(written.paths);
  const { paths, responses } = shareResponses(withParameters);
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
    paths,
    ...(Object.keys(events).length === 0 ? {} : { [is30 ? 'x-webhooks' : 'webhooks']: written.webhooks }),
    components: {
      ...written.components,
      parameters,
      responses,
      ...(Object.keys(pathItems).length === 0 ? {} : { pathItems }),
      securitySchemes: api.securitySchemes,
    },
    security: api.security.map((name) => ({ [name]: [] })),
  };
}

/** Resolves after waiting requests were processed. */
function othersTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Returns the paths of a plugin, as @elysiajs/swagger writes them. */
async function collected(
  plugin: AnyElysia,
  { title, version }: ApiDescription,
  texts: DocumentTexts,
  pages: ReadonlySet<string>,
): Promise<JsonObject> {
  const collector = new Elysia().use(
    swagger({ path: RAW_PATH, excludeStaticFile: false, documentation: { info: { title, version } } }),
  );
  collector.use(withProblems(plugin, texts, pages));
  // The plugin hides wildcards. A wildcard is documented as a parameter that may contain slashes.
  for (const route of collector.routes) route.path = route.path.replace('*', ':path');
  const response = await collector.handle(new Request(`http://localhost${RAW_PATH}/json`));
  const raw = parseJson(await response.text(), { maxDepth: 256 });
  const paths = isJsonObject(raw) && isJsonObject(raw.paths) ? raw.paths : {};
  return Object.fromEntries(Object.entries(paths).filter(([path]) => !path.startsWith(RAW_PATH)));
}

/** The header parameter of a route with `x-idempotent` in its detail. */
const idempotencyKey = ({ idempotencyConflict }: ApiDescription): JsonObject => ({
  name: 'Idempotency-Key',
  in: 'header',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  description:
    'Makes retries safe: for 24 hours (30 days for a capture id), a request with the same key and body returns the first 2xx response again, with ' +
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
    operationId = '',
    tags = [],
    'x-values': values = null,
    'x-idempotent': idempotent = false,
    'x-optional-body': isOptional = false,
    'x-response-headers': responseHeaders = null,
    'x-status-headers': statusHeaders = null,
    'x-request-headers': requestHeaders = null,
    'x-optional-request-headers': optionalHeaders = null,
    'x-callback-url': callbackUrl = null,
    'x-other-encoding': otherEncoding = null,
    'x-error-form': _errorForm = null,
    ...rest
  } = said;
  const at = String(operationId);
  const tidy: JsonObject = { operationId, tags, ...textsOf(at, values, writing), ...rest };
  const { body: example, path = {} } = writing.examples[at] ?? {};
  // The plugin adds an undescribed parameter for each path parameter that is not in the schema.
  const described = Array.isArray(parameters)
    ? parameters.map((parameter) => parameterOf(parameter, path, `the parameters of ${at}`, writing))
    : [];
  const known = [
    ...new Map(described.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter])).values(),
  ];
  const headers = [...headerParameters(requestHeaders, true), ...headerParameters(optionalHeaders, false)];
  const all = [...known, ...headers, ...(idempotent === true ? [idempotencyKey(api)] : [])];
  if (all.length > 0) tidy.parameters = all;
  if (typeof callbackUrl === 'string') tidy.callbacks = callbacksOf(writing.webhooks, callbackUrl);
  if (isJsonObject(requestBody))
    tidy.requestBody = {
      ...requestBody,
      required: isOptional !== true,
      content: {
        [JSON_TYPE]: {
          ...mediaOf(jsonSchemaOf(requestBody.content), `the body of ${at}`, writing),
          ...(example === undefined ? {} : { example }),
        },
        ...(isJsonObject(otherEncoding) ? otherEncoding : {}),
      },
    };
  tidy.responses = isJsonObject(responses)
    ? Object.fromEntries(
        Object.entries(withFailedAttempts(responses, api)).map(([status, declared]) => {
          const { all, keyed, byStatus } = api.headers;
          // A missing key and a too large body are refused before the client is identified.
          const isKeyed = rest.security === undefined && status !== '401' && status !== '413';
          const replays: Headers = idempotent === true && status.startsWith('2') ? REPLAYED : {};
          const ofSuccess = /^[23]/.test(status) ? headersOf(responseHeaders) : {};
          const ofStatus = isJsonObject(statusHeaders) ? headersOf(statusHeaders[status] ?? null) : {};
          const always = { ...all, ...(isKeyed ? keyed : {}), ...byStatus[status], ...ofStatus };
          // The 429 of `failedAttempts` also precedes the identification of the client.
          const unknown: Headers = status === '429' ? keyed : {};
          const optional = [
            ...api.headers.optional,
            ...Object.keys({ ...replays, ...ofSuccess, ...unknown }),
          ];
          const headers = writing.headers.of({ ...always, ...replays, ...ofSuccess }, optional);
          return [status, responseOf(status, wholeOf(declared), headers, at, writing)];
        }),
      )
    : {};
  return tidy;
}

/** Returns the summary and description of an operation. @param values the `x-values` of its route */
function textsOf(operation: string, values: JsonValue, { descriptions }: Writing): JsonObject {
  const { summary, description } = descriptions[operation] ?? {};
  if (summary === undefined || description === undefined) return {};
  return {
    summary,
    description: withValues(description, isJsonObject(values) ? values : {}, operation),
  };
}

/** Returns the schema of a response as its route declares it. */
function wholeOf(declared: JsonValue): JsonObject {
  const { content = null } = isJsonObject(declared) ? declared : {};
  const schema = jsonSchemaOf(content)['x-whole'] ?? null;
  return isJsonObject(schema) ? schema : {};
}

/** Adds the 429 of `failedAttempts` to an operation with a 401, unless it describes a 429 itself. */
function withFailedAttempts(responses: JsonObject, { failedAttempts }: ApiDescription): JsonObject {
  if (responses[401] === undefined || responses[429] !== undefined) return responses;
  const schema = parseJson(JSON.stringify(whole(failedAttempts)));
  return { ...responses, 429: { content: { [JSON_TYPE]: { schema } } } };
}

function parameterOf(
  parameter: JsonValue,
  path: PathExamples,
  at: string,
  { components }: Writing,
): JsonObject {
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
  // "Try it out" should not fill in optional parameters.
  if (Array.isArray(examples) && required === true) tidy.example = examples[0] ?? null;
  const pathExample = place === 'path' ? path[String(tidy.name)] : undefined;
  if (pathExample !== undefined) tidy.example = pathExample;
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

/** JSON, but not JSON-LD: the contexts are 40 kB of fixed text. */
export const SHOWN_BY_EXAMPLE = /^application\/(?!ld\+)(?:.+\+)?json$/;

/**
 * Returns one form of a response: its media type and its description. `example` replaces the schema's example
 * in the JSON form.
 */
function formOf(schema: JsonValue, example: JsonValue, at: string, writing: Writing): [string, JsonObject] {
  const form = isJsonObject(schema) ? schema : {};
  // The replacement schema may name the media type, too.
  const replaced = isJsonObject(form['x-schema']) ? form['x-schema'] : {};
  const { 'x-media-type': ofReplaced = JSON_TYPE, ...shown } = replaced;
  const { 'x-media-type': mediaType = ofReplaced, ...bare } = form;
  const content = bare['x-schema'] === undefined ? bare : { ...bare, 'x-schema': shown };
  const media = mediaOf(content, at, writing);
  const hasExample = SHOWN_BY_EXAMPLE.test(String(mediaType)) && example !== null;
  return [String(mediaType), hasExample ? { ...media, example } : media];
}

/** Returns the schema that the plugin has for the JSON form of a body. */
function jsonSchemaOf(content: JsonValue | undefined): JsonObject {
  const json = isJsonObject(content) ? content[JSON_TYPE] : undefined;
  return isJsonObject(json) && isJsonObject(json.schema) ? json.schema : {};
}

/** Returns a form of a body with its first example next to the schema, where "Try it out" looks for it. */
function mediaOf(described: JsonObject, at: string, { components }: Writing): JsonObject {
  const { examples = null, ...schema } = described;
  const [example = null] = Array.isArray(examples) ? examples : [];
  const media: JsonObject = { schema: components.schemaOf(schema, at) };
  if (example !== null) media.example = example;
  return media;
}
