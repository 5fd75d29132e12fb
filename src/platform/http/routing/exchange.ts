import { type Cookie, type CookieOptions, status } from 'elysia';
import { createCookieJar } from 'elysia/cookies';
import { parseQueryFromURL } from 'elysia/parse-query';

/** The status, the headers by their lower-case names, and the new cookies of a response. */
export interface ResponseSettings {
  status: number;
  headers: Record<string, string>;
  cookie?: Record<string, CookieOptions & { value?: unknown }>;
}

/**
 * A request of a route, and the settings of its response: what the framework declares as the context of
 * handlers. Few handlers use the getters.
 */
export class Exchange {
  /** The JSON of the body, once the authentication of the route has read it. */
  body: unknown = undefined;
  readonly status = status;
  private parsedQuery: Record<string, string> | null = null;

  /**
   * @param route the pattern of the route
   * @param params the parts of the path that the pattern names
   * @param queryStart the index of the `?` in the URL; -1 for none
   */
  constructor(
    readonly request: Request,
    readonly set: ResponseSettings,
    readonly route: string,
    readonly params: Record<string, string>,
    private readonly queryStart: number,
  ) {}

  /** The parameters of the query, decoded. */
  get query(): Record<string, string> {
    const { queryStart, request } = this;
    this.parsedQuery ??= queryStart === -1 ? {} : parseQueryFromURL(request.url, queryStart + 1);
    return this.parsedQuery;
  }

  /** The headers of the request, by their lower-case names. */
  get headers(): Record<string, string> {
    return Object.fromEntries(this.request.headers);
  }

  /** The cookies of the request, which a handler can set and remove. */
  get cookie(): Record<string, Cookie<unknown>> {
    const sent = new Bun.CookieMap(this.request.headers.get('cookie') ?? '');
    const jar = Object.fromEntries([...sent].map(([name, value]) => [name, { value }]));
    return createCookieJar(this.set, jar, { path: '/' });
  }
}
