import { Failure } from '../failure.ts';
import { gathered } from '../files/read.ts';

/** How much is taken from somebody else's server, and what is said when nothing comes. */
export interface FetchOptions {
  maxBytes: number;
  /** Until the last byte is there. */
  timeoutMs: number;
  /** What is wrong then, behind the URL and before the reason. */
  failed: string;
  hint: string;
}

/** What a URL answered, whatever its status. */
export interface FetchResult {
  ok: boolean;
  status: number;
  bytes: Uint8Array;
}

/** Whether a name that a user gives is a URL and no file. */
export function isUrl(place: string): boolean {
  return /^https?:\/\//i.test(place);
}

/** A URL as people may see it: without the password that some put into it. */
export function displayUrl(text: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  if (url.username === '' && url.password === '') return text;
  url.username = '';
  url.password = '';
  return url.href;
}

/**
 * All that stands at a URL, or is answered there to `request`. No redirect is followed: who named a place meant that one.
 *
 * @throws Failure when there is no answer in time, and beyond `maxBytes`
 */
export async function fetchAll(
  url: string,
  { maxBytes, timeoutMs, failed, hint }: FetchOptions,
  request: Pick<BunFetchRequestInit, 'method' | 'headers' | 'body' | 'tls'> = {},
): Promise<FetchResult> {
  try {
    const { ok, status, body } = await fetch(url, {
      ...request,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const bytes = body === null ? new Uint8Array() : await gathered(displayUrl(url), body, maxBytes);
    return { ok, status, bytes };
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(`${displayUrl(url)} ${failed}: ${reasonOf(error)}`, hint);
  }
}

/** Without what is said to whoever writes programs. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/\s*For more information, pass .*$/s, '');
}

/** The same, for whoever has use for nothing but success. @throws Failure, also for any other status */
export async function fetchOk(url: string, fetching: FetchOptions): Promise<Uint8Array> {
  const { ok, status, bytes } = await fetchAll(url, fetching);
  if (ok) return bytes;
  throw new Failure(`${displayUrl(url)} ${fetching.failed}: status ${status}`, fetching.hint);
}

/**
 * Refuses plain http to another machine, for what is trusted because of where it comes from.
 *
 * @param what for people, in the plural
 * @throws Failure
 */
export function requireHttps({ protocol, hostname, host }: URL, what: string, hint: string): void {
  const isLocal = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  if (protocol === 'http:' && !isLocal)
    throw new Failure(`${what} from ${host} could be anybody's over http`, hint);
}
