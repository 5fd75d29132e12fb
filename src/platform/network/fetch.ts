import { Failure } from '../failure.ts';
import { gathered } from '../files/read.ts';
import { connectDirectly } from './direct.ts';

/** The limits of a request, and the texts of its error. */
export interface FetchOptions {
  maxBytes: number;
  /** The time until the last byte arrives. */
  timeoutMs: number;
  /** Whether a redirect is the response, which is not followed; else it is an error. */
  returnsRedirects?: true;
  /** The problem, between the URL and the reason in the message. */
  failed: string;
  hint: string;
}

/** A response of any status. */
export interface FetchResult {
  ok: boolean;
  status: number;
  headers: Headers;
  bytes: Uint8Array;
}

/** Returns whether a user's argument is a URL rather than a file. */
export function isUrl(place: string): boolean {
  return /^https?:\/\//i.test(place);
}

/** Returns a URL without the user name and password in it, for messages. */
export function displayUrl(text: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  if (url.username === '' && url.password === '') return text;
  url.username = '';
  url.password = '';
  return url.href;
}

/**
 * Requests a URL and returns the complete response. Follows no redirect: the user named this location.
 *
 * @throws Failure without a response in time, and beyond `maxBytes`
 */
export async function fetchAll(
  url: string,
  { maxBytes, timeoutMs, returnsRedirects, failed, hint }: FetchOptions,
  request: Pick<BunFetchRequestInit, 'method' | 'headers' | 'body' | 'tls'> = {},
): Promise<FetchResult> {
  try {
    connectDirectly(new URL(url));
    const { ok, status, headers, body } = await fetch(url, {
      ...request,
      redirect: returnsRedirects === true ? 'manual' : 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const bytes = body === null ? new Uint8Array() : await gathered(displayUrl(url), body, maxBytes, hint);
    return { ok, status, headers, bytes };
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(`${displayUrl(url)} ${failed}: ${reasonOf(error)}`, hint);
  }
}

/** Returns an error's message without the hints for developers. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/\s*For more information, pass .*$/s, '');
}

/** Returns the body of a successful response, like `fetchAll`. @throws Failure, even for any other status */
export async function fetchOk(url: string, fetching: FetchOptions): Promise<Uint8Array> {
  const { ok, status, bytes } = await fetchAll(url, fetching);
  if (ok) return bytes;
  throw new Failure(`${displayUrl(url)} ${fetching.failed}: status ${status}`, fetching.hint);
}

/**
 * Refuses plain http to another machine, for data that is trusted because of its origin.
 *
 * @param what the data for the message, in the plural
 * @throws Failure
 */
export function requireHttps(
  { protocol, hostname, host }: URL,
  what: string,
  hint: string,
  exitCode: 1 | 2 = 1,
): void {
  const isLocal = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  if (protocol === 'http:' && !isLocal)
    throw new Failure(`${what} from ${host} cannot be authenticated over http`, hint, exitCode);
}
