import { gathered } from '../../../../../platform/files/read.ts';
import { RailUnavailable } from '../../rail.ts';

/** The time until the last byte of a response arrives. */
const TIMEOUT_MS = 5000;
const MAX_BYTES = 1 << 20;
/** The longest text of a node's error that messages quote. */
const MAX_REASON = 200;
/** The shortest part of the URL's path or query that can be a key. */
const SHORTEST_KEY = 6;

/**
 * A request to the node without a usable response. The message names the node by its origin only: the path or
 * the query of the URL can contain an API key, and the request can contain what must not be in a log.
 */
export class RpcError extends RailUnavailable {
  override readonly name = 'RpcError';
  constructor(
    message: string,
    /** `refused` means that the node returned an error; the other kinds say nothing about the request. */
    readonly kind: 'unreachable' | 'invalid' | 'refused',
    /** The text of the node's error; null if it returned none. */
    readonly reasonText: string | null = null,
    /** True if the contract reverted the call. */
    readonly isRevert = false,
  ) {
    super('rpc', message);
  }
}

/** Sends requests to one node by JSON-RPC 2.0. */
export interface Rpc {
  /** The node's name for messages: the origin of its URL. */
  readonly origin: string;
  /**
   * Returns the result of a method, which is unchecked.
   * @param maxBytes the longest response
   * @throws RpcError
   */
  request(method: string, params: readonly unknown[], maxBytes?: number): Promise<unknown>;
}

/** Returns the client of a node. Each request has a time limit and a size limit, and follows no redirect. */
export function jsonRpc(url: string, timeoutMs: number = TIMEOUT_MS): Rpc {
  const { origin } = new URL(url);
  const mask = keyMask(url);
  let lastId = 0;
  const unusable = (method: string, problem: string) =>
    new RpcError(`The response of the node ${origin} to ${method} ${problem}.`, 'invalid');
  return {
    origin,
    async request(method, params, maxBytes = MAX_BYTES) {
      lastId += 1;
      const id = lastId;
      const { status, text } = await post(url, origin, { jsonrpc: '2.0', id, method, params }, [
        timeoutMs,
        maxBytes,
      ]);
      const response = parsed(text);
      if (!isRecord(response) || response.id !== id) {
        throw status === 200
          ? unusable(method, 'is not a JSON-RPC response')
          : new RpcError(
              `The response of the node ${origin} to ${method} has the status ${status}.`,
              status === 429 || status >= 500 ? 'unreachable' : 'invalid',
            );
      }
      const { error, result } = response;
      if (isRecord(error)) throw refusal(origin, method, error, mask);
      if (result === undefined || (error !== undefined && error !== null))
        throw unusable(method, 'has no result');
      return result;
    },
  };
}

async function post(
  url: string,
  origin: string,
  body: object,
  [timeoutMs, maxBytes]: readonly [number, number],
): Promise<{ status: number; text: string }> {
  const signal = AbortSignal.timeout(timeoutMs);
  let response: Response;
  try {
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    response = await fetch(url, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      redirect: 'error',
      signal,
    });
  } catch {
    throw unreachable(origin, signal, timeoutMs);
  }
  try {
    const bytes = response.body === null ? new Uint8Array() : await gathered(origin, response.body, maxBytes);
    return { status: response.status, text: new TextDecoder().decode(bytes) };
  } catch {
    if (signal.aborted) throw unreachable(origin, signal, timeoutMs);
    throw new RpcError(
      `The response of the node ${origin} is longer than ${maxBytes} bytes, or incomplete.`,
      'invalid',
    );
  }
}

function unreachable(origin: string, signal: AbortSignal, timeoutMs: number): RpcError {
  const problem = signal.aborted ? `did not respond within ${timeoutMs / 1000} seconds` : 'cannot be reached';
  return new RpcError(`The node ${origin} ${problem}.`, 'unreachable');
}

function refusal(
  origin: string,
  method: string,
  error: Record<string, unknown>,
  mask: (text: string) => string,
): RpcError {
  const { code, message, data } = error;
  const reason = printable(mask(typeof message === 'string' ? message : 'no reason'));
  const isRevert = code === 3 || /\brevert/i.test(reason) || (isHex(data) && data.length >= 10);
  return new RpcError(`The node ${origin} refused ${method}: ${reason}`, 'refused', reason, isRevert);
}

/** Returns a function that replaces what could be a key in the node's URL, wherever the node repeats it. */
function keyMask(text: string): (text: string) => string {
  const url = new URL(text);
  const parts = [
    text,
    url.href,
    url.username,
    url.password,
    ...url.pathname.split('/'),
    ...[...url.searchParams.values()],
    url.search.slice(1),
  ]
    .flatMap((part) => [part, decodedOr(part)])
    .filter((part) => part.length >= SHORTEST_KEY)
    .toSorted((one, other) => other.length - one.length);
  return (message) => parts.reduce((masked, part) => masked.replaceAll(part, '***'), message);
}

function decodedOr(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns a line of at most MAX_REASON characters, without long hexadecimal data (signed transactions). */
function printable(text: string): string {
  const line = text
    .slice(0, 10 * MAX_REASON)
    .replace(/[^\x20-\x7e]+/g, ' ')
    .replace(/0x[0-9a-f]{65,}/gi, '0x…');
  return line.length > MAX_REASON ? `${line.slice(0, MAX_REASON)}…` : line;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns whether a value is an object with members. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isHex(value: unknown): value is string {
  return typeof value === 'string' && /^0x[0-9a-f]*$/i.test(value);
}
