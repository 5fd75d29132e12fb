import type { App } from '../http/app.ts';

/** The body and the credential of a request in a scenario. */
interface Asked {
  body?: unknown;
  /** An API key or another token. */
  key?: string;
  /** Further headers. */
  headers?: Record<string, string>;
}

/** Sends a request such as `POST /api/v1/receipts` and returns the members of the response. */
export type ApiCall = (line: string, asked?: Asked) => Promise<Readonly<Record<string, unknown>>>;

/**
 * Returns a client that sends requests to a service in this process, as over the network. The API thereby
 * checks the data of a demonstration. A refused request is an error in the scenario and ends it.
 */
export function apiClient(app: Pick<App, 'fetch'>): ApiCall {
  return async (line, { body, key, headers: more = {} } = {}) => {
    const [method = '', path = ''] = line.split(' ');
    const headers = new Headers(more);
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
