import type { JsonObject } from '../../proof/encoding/json.ts';
import { audienceProblem, isTestAudience } from './audience.ts';
import { CountersignError, printable } from './errors.ts';
import { type AgentOptions, type CallOptions, type ClientOptions, serviceUrl } from './options.ts';
import { attempt, errorOf, jsonIn, type RawResponse, textIn } from './response.ts';
import { isRepeatable, pause } from './retry.ts';

/** A call of an operation, as the generated methods describe it. */
export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Its path, in which `{id}` stands for a value of `places`. */
  path: string;
  places?: Readonly<Record<string, string>>;
  query?: object | undefined;
  body?: unknown;
  headers?: object;
  /** The media type of the response, if it is not JSON. */
  accept?: string;
  /** Whether the operation takes an Idempotency-Key. */
  isIdempotent?: boolean;
  /** Whether the operation takes no key: then none is sent. */
  isPublic?: boolean;
}

const TIMEOUT_MS = 30_000;
const MAX_RETRIES = 2;
const MAX_RESPONSE_BYTES = 64 * 2 ** 20;

/** Sends requests to one service. The key goes nowhere else. */
export class Transport {
  readonly url: URL;
  readonly #options: ClientOptions;
  #audience: string | null;

  /** @throws CountersignError for a URL to which a key must not be sent, and for a key that is none */
  constructor(options: ClientOptions) {
    this.url = serviceUrl(options.url, options.insecureHttp === true);
    if (options.apiKey !== undefined && !/^[!-~]+$/.test(options.apiKey))
      throw new CountersignError(
        'The API key has a space or a line end, or other characters that no key has.',
      );
    this.#options = options;
    this.#audience = options.audience ?? null;
  }

  /**
   * Performs a call that returns JSON.
   * @throws ApiError, ConnectionError, CountersignError; the reason of the signal that ended it
   */
  async json<Result>(call: Call, options?: AgentOptions): Promise<Result> {
    return jsonIn<Result>(await this.#sent(call, options));
  }

  /** Performs a call that returns JSON or nothing. Throws the same errors. */
  async jsonOrNothing<Result>(call: Call, options?: AgentOptions): Promise<Result | undefined> {
    const response = await this.#sent(call, options);
    return response.bytes.length === 0 ? undefined : jsonIn<Result>(response);
  }

  /** Performs a call that returns text. Throws the same errors. */
  async text(call: Call, options?: AgentOptions): Promise<string> {
    return textIn(await this.#sent(call, options));
  }

  /** Performs a call that returns bytes. Throws the same errors. */
  async bytes(call: Call, options?: AgentOptions): Promise<Uint8Array> {
    return (await this.#sent(call, options)).bytes;
  }

  /** Sends a call, and repeats it where that is safe. */
  async #sent(call: Call, options: AgentOptions = {}): Promise<RawResponse> {
    const { agent, signal } = options;
    const path = pathOf(call);
    const query = queryOf(call.query);
    const body = agent === undefined ? call.body : await this.#signed(path + query, call, options);
    const url = `${this.url.href.replace(/\/$/, '')}${path}${query}`;
    const headers = this.#headersOf(call, body !== undefined, options.idempotencyKey);
    const init = { method: call.method, headers, ...(body !== undefined && { body: textOf(body) }) };
    const limits = {
      timeoutMs: options.timeoutMs ?? this.#options.timeoutMs ?? TIMEOUT_MS,
      maxBytes: this.#options.maxResponseBytes ?? MAX_RESPONSE_BYTES,
      signal,
    };
    const maxRetries = options.maxRetries ?? this.#options.maxRetries ?? MAX_RETRIES;
    const isSafe = call.method === 'GET' || call.isIdempotent === true;
    for (let attempts = 1; ; attempts++) {
      try {
        const response = await attempt(this.#options.fetch ?? fetch, url, init, limits);
        if (response.status >= 200 && response.status < 300) return response;
        throw errorOf(response);
      } catch (error) {
        if (attempts > maxRetries || !isRepeatable(error, isSafe)) throw error;
        await pause(error, attempts, signal);
      }
    }
  }

  /** Returns the time with which agents sign, in milliseconds since 1970. @throws CountersignError */
  async now(): Promise<number> {
    if (this.#options.now === undefined) return Date.now();
    const text = await this.#options.now();
    const now = Date.parse(text);
    if (Number.isNaN(now))
      throw new CountersignError(`The option now returned ${printable(text)}, which is no time.`);
    return now;
  }

  /** Returns a body with the authorization of an agent. @param path with the query */
  async #signed(path: string, { method, body }: Call, options: AgentOptions): Promise<unknown> {
    // A service behind a proxy receives the path that comes after that of its URL.
    const call = { method, path, audience: await this.#audienceFor(options) };
    const object: JsonObject = Object(body ?? {});
    return options.agent?.authorize(call, object, await this.now());
  }

  /** Returns the audience that agents sign. @throws CountersignError for one of another host */
  async #audienceFor({ signal, timeoutMs, maxRetries }: CallOptions): Promise<string> {
    if (this.#audience !== null) return this.#audience;
    const options: CallOptions = {
      ...(signal !== undefined && { signal }),
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(maxRetries !== undefined && { maxRetries }),
    };
    const key = await this.json<{ audience: string }>(
      { method: 'GET', path: '/api/v1/public-key', isPublic: true },
      options,
    );
    const problem = audienceProblem(key.audience, this.url);
    if (problem !== null) throw new CountersignError(problem);
    if (!isTestAudience(key.audience)) this.#audience = key.audience;
    return key.audience;
  }

  #headersOf(call: Call, hasBody: boolean, idempotencyKey: string | undefined): Record<string, string> {
    const { apiKey } = this.#options;
    return {
      accept: call.accept ?? 'application/json',
      ...(hasBody && { 'content-type': 'application/json' }),
      ...(apiKey !== undefined && call.isPublic !== true && { authorization: `Bearer ${apiKey}` }),
      ...(call.isIdempotent === true && { 'idempotency-key': idempotencyKey ?? crypto.randomUUID() }),
      ...call.headers,
    };
  }
}

/** Returns a body as it is sent. Text stays as it is, because somebody may have signed its bytes. */
const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body));

/** @throws CountersignError for a value that would change the path */
function pathOf({ path, places = {} }: Call): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(places[name]);
    // The path of a file in a log has slashes.
    const segments = name === 'path' ? value.split('/') : [value];
    if (segments.some((segment) => /^\.{0,2}$/.test(segment)))
      throw new CountersignError(`The parameter ${name} must not be "${value}".`);
    return segments.map(encodeURIComponent).join('/');
  });
}

function queryOf(query: object = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) parameters.append(name, String(value));
  return parameters.size === 0 ? '' : `?${parameters}`;
}
