import { NameError } from '../network/name-resolver.ts';
import { post } from './post.ts';
import { type Message, signatureHeaders } from './signature.ts';
import { resolveTarget, type TargetPolicy, TargetRefused } from './target.ts';

/** The maximum number of response bytes to read. They are not stored. */
const RESPONSE_BYTES = 64 * 1024;

/** The receiver of a message at the time of an attempt. */
export interface Endpoint {
  url: string;
  /** The owner of the receiver. Name lookups for one owner never delay those for another. */
  owner: string;
  /** `whsec_…` */
  secret: string;
  /** Returns additional headers, for receivers that verify another signature of the sender too. */
  headers?(message: Message): Record<string, string>;
}

export interface AttemptOptions {
  targets: TargetPolicy;
  /** The time for the whole attempt, from the name lookup to the end of the response. */
  timeoutMs: number;
  /** Certificates (PEM) to trust instead of the system's. */
  ca?: string;
}

/** The result of an attempt. `interrupted` by `leaving`: it is unknown whether the message arrived. */
export type Outcome =
  | { result: 'delivered'; status: number }
  | { result: 'failed'; status: number | null; error: string; gone: boolean }
  | { result: 'interrupted' };

/**
 * Makes one attempt. A response other than 2xx is a failure, and so is a timeout. Never throws for errors of
 * the receiver.
 */
export async function attempt(
  endpoint: Endpoint,
  message: Message,
  { targets, timeoutMs, ca }: AttemptOptions,
  leaving: AbortSignal,
): Promise<Outcome> {
  const headers = {
    ...endpoint.headers?.(message),
    ...(await signatureHeaders(endpoint.secret, message)),
    'content-type': 'application/json',
    'user-agent': 'countersign',
  };
  const ending = new AbortController();
  const end = () => ending.abort();
  const timer = setTimeout(end, timeoutMs);
  leaving.addEventListener('abort', end);
  if (leaving.aborted) end();
  const { signal } = ending;
  try {
    const target = await unless(signal, resolveTarget(endpoint.url, targets, endpoint.owner));
    // The status decides, even if the rest of the response does not arrive.
    const { status } = await post(target, {
      headers,
      body: message.body,
      signal,
      maxBytes: RESPONSE_BYTES,
      ca,
    });
    if (status >= 200 && status < 300) return { result: 'delivered', status };
    return { result: 'failed', status, error: `returned status ${status}`, gone: status === 410 };
  } catch (error) {
    if (leaving.aborted) return { result: 'interrupted' };
    const reason = signal.aborted ? `no response within ${timeoutMs / 1000} s` : reasonOf(error);
    return { result: 'failed', status: null, error: reason, gone: false };
  } finally {
    clearTimeout(timer);
    leaving.removeEventListener('abort', end);
  }
}

/** Rejects when the signal aborts. A resolver has no way to cancel, so its look-up continues. */
function unless<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    promise.then(resolve, reject);
    signal.addEventListener('abort', () => reject(signal.reason));
    if (signal.aborted) reject(signal.reason);
  });
}

/** Returns the reason of a failure for the owner of the receiver, who can read it. */
function reasonOf(error: unknown): string {
  if (error instanceof TargetRefused) return `the target ${error.message}`;
  if (error instanceof NameError) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^[A-Z0-9_]{1,64}$/.test(code) ? `no response (${code})` : 'no response';
}
