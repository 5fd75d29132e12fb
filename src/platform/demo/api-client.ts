import type { App } from '../http/app.ts';

/** A request of the story that is told: `POST /api/v1/receipts`, its body and its key. */
interface Asked {
  body?: unknown;
  /** An API key or another token. */
  key?: string;
}

/** Sends a request to the service and returns the members of its answer. */
export type ApiCall = (line: string, asked?: Asked) => Promise<Readonly<Record<string, unknown>>>;

/**
 * Returns what sends requests to a service in this process, as a client would over the network: the data of a demonstration is made
 * by the service's own rules. A request that is refused is a mistake in the demonstration, and ends it.
 */
export function apiClient(app: App): ApiCall {
  return async (line, { body, key } = {}) => {
    const [method = '', path = ''] = line.split(' ');
    const headers = new Headers();
    if (key !== undefined) headers.set('authorization', `Bearer ${key}`);
    if (body !== undefined) headers.set('content-type', 'application/json');
    const request = new Request(`http://127.0.0.1${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const response = await app.fetch(request, '127.0.0.1');
    const text = await response.text();
    if (!response.ok) throw new Error(`the demonstration's ${line} was refused: ${response.status} ${text}`);
    return Object(text === '' ? {} : JSON.parse(text));
  };
}
