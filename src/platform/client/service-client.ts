import { isJsonObject, JsonError, type JsonValue, parseJsonBytes } from '../../proof/encoding/json.ts';
import { Failure } from '../failure.ts';
import { gathered } from '../files/read.ts';
import { connectDirectly } from '../network/direct.ts';
import { displayUrl } from '../network/fetch.ts';
import { isPlainText } from '../network/plain-text.ts';
import {
  CHECK_THE_URL,
  failureOfStatus,
  failureWithoutConnection,
  NoResponse,
  retryAfterMs,
  unknownOutcome,
} from './failures.ts';
import type { ServiceSocket } from './socket.ts';

/** No response may be larger. A page of a list ends at 1 MiB; a package can have 60 MB. */
const MAX_BYTES = 128 * 2 ** 20;
/** The time until the last byte of a response arrives. */
const TIMEOUT_MS = 60_000;
/** How often a request is sent at most. */
const ATTEMPTS = 3;
/** The wait before the second attempt, in milliseconds; each further one is twice as long. */
const PAUSE_MS = 250;
/** A service that asks for a longer wait is not asked again. */
const LONGEST_PAUSE_MS = 10_000;

/** A request of an operation. */
interface Asked {
  method: string;
  /** The path, and the query, below the URL of the service. */
  path: string;
  body?: Readonly<Record<string, unknown>>;
  /** True if the service does a repeated request with one Idempotency-Key only once. */
  isIdempotent?: boolean;
}

/** How a request is sent, where the defaults do not fit. */
export interface RequestOptions {
  /** The Idempotency-Key of a change; by default a new one. */
  idempotencyKey?: string;
  /** How often the request is sent at most. */
  attempts?: number;
  /** The time until the last byte of the response arrives, in milliseconds. */
  timeoutMs?: number;
  /** Ends the request. */
  signal?: AbortSignal;
}

/** What the service responded, if it did. */
type Outcome = { response: Response; body: JsonValue } | { failure: Failure };

/** A service that is asked over HTTP, with a key or without one. */
export class ServiceClient {
  private readonly base: URL;

  /**
   * @param url of the service, with or without a path
   * @param socket over which it is reached, instead of the address in the URL
   */
  constructor(
    url: string,
    private readonly key: string | null,
    private readonly sleep: (ms: number) => Promise<unknown> = Bun.sleep,
    private readonly socket: ServiceSocket | null = null,
  ) {
    this.base = new URL(url.endsWith('/') ? url : `${url}/`);
    connectDirectly(this.base);
  }

  /**
   * Sends a request, and again where that is safe: what only reads, what the service does once by its
   * Idempotency-Key, and what it refused because of a limit. Follows no redirect, so that the key is sent to
   * no other place.
   * @returns the body of the response; null for an empty one
   * @throws Failure whose exit code is the class of the error
   */
  async request(asked: Asked, options: RequestOptions = {}): Promise<JsonValue> {
    const { idempotencyKey = Bun.randomUUIDv7(), attempts = ATTEMPTS } = options;
    const key = asked.method === 'GET' ? null : idempotencyKey;
    // Who has a key of its own repeats the request with it.
    const isRepeatable = options.idempotencyKey !== undefined;
    let mayBeDone = false;
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await this.attempt(asked, key, options);
      if ('response' in outcome && outcome.response.ok) return outcome.body;
      const pause = attempt < attempts ? pauseBefore(asked, outcome, PAUSE_MS * 2 ** (attempt - 1)) : null;
      if ('failure' in outcome && outcome.failure instanceof NoResponse)
        mayBeDone ||= asked.method !== 'GET' && outcome.failure.mayBeDone;
      if (pause === null) {
        if (!('failure' in outcome)) throw refusal(outcome, this.place);
        throw mayBeDone && !isRepeatable ? unknownOutcome(outcome.failure) : outcome.failure;
      }
      await this.sleep(pause);
    }
  }

  /** The URL of the service for messages. */
  get place(): string {
    return displayUrl(this.base.href).replace(/\/$/, '');
  }

  /** Sends a request once, or again over a socket that is served by another process now. */
  private async attempt(
    asked: Asked,
    idempotencyKey: string | null,
    options: RequestOptions,
  ): Promise<Outcome> {
    const outcome = await this.send(asked, idempotencyKey, options);
    const isLost = 'failure' in outcome && outcome.failure.exitCode === 7 && isSafe(asked);
    if (!isLost || (await this.socket?.restore()) !== true) return outcome;
    return this.send(asked, idempotencyKey, options);
  }

  private async send(
    { method, path, body }: Asked,
    idempotencyKey: string | null,
    { timeoutMs = TIMEOUT_MS, signal }: RequestOptions,
  ): Promise<Outcome> {
    const url = new URL(path.replace(/^\/+/, ''), this.base);
    if (url.origin !== this.base.origin || !url.pathname.startsWith(this.base.pathname))
      throw new Failure(`${path} is no path of ${this.place}`, 'report it to the operator of the service');
    const headers = new Headers({ accept: 'application/json', 'user-agent': 'countersign' });
    if (this.key !== null) headers.set('authorization', `Bearer ${this.key}`);
    if (idempotencyKey !== null) headers.set('idempotency-key', idempotencyKey);
    if (body !== undefined) headers.set('content-type', 'application/json');
    try {
      const response = await fetch(url, {
        method,
        headers,
        redirect: 'manual',
        signal: endedBy(timeoutMs, signal),
        ...(this.socket === null ? {} : { unix: this.socket.path }),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (response.status >= 300 && response.status < 400) return { failure: this.redirected(response) };
      const bytes =
        response.body === null
          ? new Uint8Array()
          : await gathered(`the response of ${this.place}`, response.body, MAX_BYTES, CHECK_THE_URL);
      return { response, body: this.parsed(response, bytes) };
    } catch (error) {
      if (error instanceof Failure) throw error;
      return { failure: failureWithoutConnection(this.place, error) };
    }
  }

  private redirected(response: Response): Failure {
    const location = response.headers.get('location') ?? '';
    const target = URL.canParse(location, this.base.href) ? new URL(location, this.base).origin : 'nowhere';
    return new Failure(
      `${this.place} redirects to ${target}; the key was not sent there`,
      'use the URL at which the service itself responds',
    );
  }

  private parsed({ ok, status, headers }: Response, bytes: Uint8Array): JsonValue {
    // Else a proxy that answers in place of the service would make a change look done.
    if (bytes.length === 0 && status !== 204 && ok) throw this.notJson(status);
    if (bytes.length === 0) return null;
    if (ok && isPlainText(headers)) return new TextDecoder().decode(bytes);
    try {
      return parseJsonBytes(bytes);
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
      if (!ok) return null;
      throw this.notJson(status);
    }
  }

  private notJson(status: number): Failure {
    return new Failure(
      `${this.place} responded with ${status} and what is no JSON`,
      'check that the URL is the one of a Countersign service',
    );
  }
}

function endedBy(timeoutMs: number, signal: AbortSignal | undefined): AbortSignal {
  const timeout = AbortSignal.timeout(timeoutMs);
  return signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
}

/** Returns whether a request can be sent twice without being done twice. */
const isSafe = ({ method, isIdempotent = false }: Asked): boolean => method === 'GET' || isIdempotent;

/** Returns the milliseconds before a request may be sent again; null if it must not be. */
function pauseBefore(asked: Asked, outcome: Outcome, pause: number): number | null {
  if ('failure' in outcome) {
    const { failure } = outcome;
    // A read that took a minute would take three. Of a change, another attempt says whether it was made.
    const isTooSlow = asked.method === 'GET' && failure instanceof NoResponse && failure.isLate;
    return isSafe(asked) && failure.exitCode === 7 && !isTooSlow ? pause : null;
  }
  const { status, headers } = outcome.response;
  if (status !== 429 && !(isSafe(asked) && [502, 503, 504].includes(status))) return null;
  const wanted = retryAfterMs(headers.get('retry-after')) ?? pause;
  return wanted <= LONGEST_PAUSE_MS ? wanted : null;
}

/** Returns the failure of a refused request, by the error formats of both services. */
function refusal({ response, body }: { response: Response; body: JsonValue }, place: string): Failure {
  const trust = isJsonObject(body) ? body : {};
  const staffing = isJsonObject(trust.error) ? trust.error : {};
  const code = text(trust.reason_code) ?? text(staffing.code);
  // The errors of OTLP are a google.rpc.Status.
  const message = text(trust.error) ?? text(staffing.message) ?? text(trust.message);
  return failureOfStatus(response.status, place, {
    code,
    message,
    issues: [...issuesOfTrust(trust.issues), ...issuesOfStaffing(staffing.details)],
    retryAfter: response.headers.get('retry-after'),
  });
}

function issuesOfTrust(issues: JsonValue | undefined): string[] {
  return isJsonObject(issues)
    ? Object.entries(issues).map(([field, sentences]) => `${field} ${[sentences].flat().join(', and ')}`)
    : [];
}

function issuesOfStaffing(details: JsonValue | undefined): string[] {
  return (Array.isArray(details) ? details : []).flatMap((detail) =>
    isJsonObject(detail) ? [`${detail.field} ${detail.message}`] : [],
  );
}

const text = (value: JsonValue | undefined): string | null => (typeof value === 'string' ? value : null);
