import { ApiError, ConnectionError, printable } from './errors.ts';

/** A response that was read to its end. */
export interface RawResponse {
  status: number;
  headers: Headers;
  bytes: Uint8Array;
}

/** How an attempt of a request is limited. */
interface Limits {
  timeoutMs: number;
  maxBytes: number;
  signal: AbortSignal | undefined;
}

/**
 * Sends a request once and reads its response, which takes at most the timeout in all. It follows no
 * redirect, sends no cookie, and stores nothing.
 * @throws ConnectionError; the reason of the signal that ended it
 */
export async function attempt(
  fetch: (url: string, init: RequestInit) => Promise<Response>,
  url: string,
  init: RequestInit,
  { timeoutMs, maxBytes, signal }: Limits,
): Promise<RawResponse> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      credentials: 'omit',
      cache: 'no-store',
      signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
    });
    const { status, headers } = response;
    // A browser hides the status of a redirect.
    if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
      await response.body?.cancel();
      throw new ConnectionError('redirect', redirected(url, headers.get('location')));
    }
    return { status, headers, bytes: await bytesOf(response, url, maxBytes) };
  } catch (error) {
    if (error instanceof ConnectionError) throw error;
    signal?.throwIfAborted();
    const { host } = new URL(url);
    if (timeout.aborted)
      throw new ConnectionError('timeout', `${host} did not respond within ${timeoutMs} ms.`, {
        cause: error,
      });
    throw new ConnectionError('unreachable', `${host} cannot be reached.`, { cause: error });
  }
}

function redirected(url: string, location: string | null): string {
  const target = location === null ? 'another address' : printable(location);
  return `${new URL(url).host} redirects to ${target}, where no key is sent. Use the URL of the service itself.`;
}

/** Reads a body up to a size. @throws ConnectionError for a larger one */
async function bytesOf({ body }: Response, url: string, maxBytes: number): Promise<Uint8Array> {
  if (body === null) return new Uint8Array();
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > maxBytes) {
      await reader.cancel();
      const limit = `${maxBytes} bytes (maxResponseBytes)`;
      throw new ConnectionError('too_large', `The response of ${new URL(url).host} has more than ${limit}.`);
    }
    chunks.push(value);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** Returns the text of a response. @throws ConnectionError for other bytes than UTF-8 */
export function textIn({ bytes }: RawResponse): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new ConnectionError('malformed', 'The response is not UTF-8.', { cause: error });
  }
}

/**
 * Returns the JSON of a response, which has the type that the OpenAPI document says.
 * @throws ConnectionError for anything else
 */
export function jsonIn<Result>(response: RawResponse): Result {
  const text = textIn(response);
  try {
    return JSON.parse(text);
  } catch (error) {
    const type = printable(response.headers.get('content-type') ?? 'of no type');
    throw new ConnectionError('malformed', `The response is not JSON, but ${type}.`, { cause: error });
  }
}

/** Returns the error that a response describes, in the form of either service. */
export function errorOf(response: RawResponse): ApiError {
  const { status, headers } = response;
  const body = bodyOf(response);
  // The trust service has `error` and `reason_code`, the staffing service an object with both.
  const { error } = body;
  const inner: Readonly<Record<string, unknown>> = Object(typeof error === 'object' ? error : body);
  const message = typeof error === 'string' ? error : inner.message;
  const code = inner.reason_code ?? inner.code;
  const details = detailsOf(inner);
  const fields = Object.entries(details).map(([path, problems]) => `${path} ${problems.join(', and ')}`);
  const sentence =
    typeof message === 'string' ? printable(message) : `The service has responded with status ${status}.`;
  return new ApiError(
    fields.length === 0 ? sentence : printable(`${sentence} (${fields.join('; ')})`),
    status,
    typeof code === 'string' ? printable(code) : '',
    headers.get('x-request-id'),
    details,
    body,
    secondsOf(headers.get('retry-after')),
  );
}

function bodyOf(response: RawResponse): Readonly<Record<string, unknown>> {
  try {
    return Object(jsonIn<unknown>(response));
  } catch {
    return {};
  }
}

function detailsOf({ issues, details }: Readonly<Record<string, unknown>>): Record<string, string[]> {
  const found: Record<string, string[]> = Object.create(null);
  const add = (path: unknown, message: unknown): void => {
    const key = printable(String(path));
    found[key] = [...(found[key] ?? []), printable(String(message))];
  };
  for (const [path, messages] of Object.entries(Object(issues)))
    if (Array.isArray(messages)) for (const message of messages) add(path, message);
  if (Array.isArray(details)) for (const item of details) add(Object(item).field, Object(item).message);
  return found;
}

/** Returns the seconds of a Retry-After: a number, or a date. */
function secondsOf(text: string | null): number | null {
  if (text === null) return null;
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
}
