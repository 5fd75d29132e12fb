import { serializeCookie } from 'elysia';
import { ElysiaCustomStatusResponse } from 'elysia/error';
import { responseWith } from '../send-together.ts';
import type { ResponseSettings } from './exchange.ts';

/**
 * The headers of every response. It is data for the client and never a page, and it must not be stored unless
 * the response allows that.
 */
export const COMMON_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** The same, ready to be copied: an object takes the runtime a microsecond longer. */
const COMMON = new Headers(COMMON_HEADERS);
const COMMON_OF_JSON = new Headers({ ...COMMON_HEADERS, 'content-type': 'application/json;charset=utf-8' });

/** Returns the body that a handler has returned. A status that it has chosen with it becomes the status. */
export function bodyOf(returned: unknown, settings: ResponseSettings): unknown {
  if (!(returned instanceof ElysiaCustomStatusResponse)) return returned;
  settings.status = returned.code;
  return returned.response;
}

/**
 * Returns the response of a route: text and bytes as they are, and any other value as JSON, with the common
 * headers. A response that the handler has made keeps the headers that it has.
 * @param toJson writes a value as JSON
 */
export function responseOf(
  body: unknown,
  settings: ResponseSettings,
  toJson: (value: unknown) => string,
): Response {
  if (body instanceof Response) return completed(body, settings);
  const { status, headers, cookie } = settings;
  const response = withoutSettings(body, status, toJson);
  // A client updates the headers of what it has with those of a 304 (RFC 9111 section 3.2), and the policy of
  // a page allows its styles.
  if (status === 304) response.headers.delete('content-security-policy');
  for (const name in headers) response.headers.set(name, headers[name] ?? '');
  return cookie === undefined ? response : withCookies(response, cookie);
}

function withoutSettings(body: unknown, status: number, toJson: (value: unknown) => string): Response {
  if (body === undefined || body === null) return new Response('', { status, headers: COMMON });
  if (typeof body === 'string' || isBytes(body)) return responseWith(body, { status, headers: COMMON });
  return responseWith(toJson(body), { status, headers: COMMON_OF_JSON });
}

/** No handler returns bytes that another thread could change. */
function isBytes(body: unknown): body is Uint8Array<ArrayBuffer> {
  return body instanceof Uint8Array && body.buffer instanceof ArrayBuffer;
}

function completed(made: Response, { status, headers, cookie = {} }: ResponseSettings): Response {
  const response =
    made.status === 200 && status !== 200 ? new Response(made.body, { status, headers: made.headers }) : made;
  for (const [name, value] of Object.entries({ ...COMMON_HEADERS, ...headers })) {
    if (!response.headers.has(name)) response.headers.set(name, value);
  }
  return withCookies(response, cookie);
}

function withCookies(response: Response, cookies: Required<ResponseSettings>['cookie']): Response {
  for (const cookie of [serializeCookie(cookies) ?? []].flat()) response.headers.append('set-cookie', cookie);
  return response;
}
