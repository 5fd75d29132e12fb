import type { Issues } from '../errors/errors.ts';

/** An error of a page that has no page of its own for it. */
export interface ErrorOfPage {
  status: number;
  message: string;
  issues?: Issues;
  requestId: string;
  /** The path and the query of the request. */
  address: string;
}

/** A route whose responses are pages for people, also its errors. */
export interface PageRoute {
  /**
   * The paths of the API of which this is the page, as routes declare them. A GET that prefers text/html gets
   * 303 with the path of the page. Each parameter of the page's path is one of theirs.
   */
  shows?: readonly string[];
  /** Returns the page of an error. Its headers replace those of the response. */
  errorPage(failed: ErrorOfPage): Promise<{ text: string; headers: Readonly<Record<string, string>> }>;
}

const MEMBER = 'x-page';

/** Returns the `detail` of a route of pages. The documentation of the API does not contain it. */
export function detailOfPage(page: PageRoute) {
  return { hide: true, [MEMBER]: page };
}

/** Returns what `detailOfPage` put into a route's detail; null for other routes. */
export function pageRouteOf(detail: object | undefined): PageRoute | null {
  const { [MEMBER]: page = null }: { [MEMBER]?: PageRoute | null } = detail ?? {};
  return page;
}
