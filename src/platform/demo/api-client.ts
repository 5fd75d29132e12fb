import type { App } from '../http/app.ts';

/** The body and the credential of a request in a scenario. */
interface Asked {
  body?: unknown;
  /** The fields of a form of a page, in place of a body. Its response leads to another page. */
  form?: Readonly<Record<string, string>>;
  /** An API key or another token. */
  key?: string;
  /** Further headers. */
  headers?: Record<string, string>;
}

/** Sends a request such as `POST /api/v1/receipts` and returns the members of the response. */
export type ApiCall = (line: string, asked?: Asked) => Promise<Readonly<Record<string, unknown>>>;

/** A request of a scenario that the service refused. */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefused';
  constructor(
    /** Such as `POST /api/v1/receipts`. */
    readonly line: string,
    readonly status: number,
    /** The text of the response. */
    readonly body: string,
  ) {
    super(`the scenario's ${line} was refused: ${status} ${body}`);
  }
}

/**
 * Returns a client that sends requests to a service in this process, as over the network. The API thereby
 * checks the data of a demonstration or a seed. A refused request is an error in the scenario and ends it.
 * @throws RequestRefused
 */
export function apiClient(app: Pick<App, 'fetch'>): ApiCall {
  return async (line, { body, form, key, headers: more = {} } = {}) => {
    const [method = '', path = ''] = line.split(' ');
    const headers = new Headers(more);
    if (key !== undefined) headers.set('authorization', `Bearer ${key}`);
    if (body !== undefined) headers.set('content-type', 'application/json');
    const request = new Request(`http://127.0.0.1${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
    });
    const response = await app.fetch(request, '127.0.0.1');
    const text = await response.text();
    if (form !== undefined && response.status === 303) return {};
    if (!response.ok) throw new RequestRefused(line, response.status, text);
    return Object(text === '' ? {} : JSON.parse(text));
  };
}
