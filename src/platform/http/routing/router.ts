import type { InternalRoute } from 'elysia';
import { Memoirist } from 'memoirist';
import { lazy } from '../../lazy.ts';
import { type CompiledRoute, compileRoute, type RouteSettings } from './compile-route.ts';
import { type PagePath, pagesOfPaths } from './page-redirect.ts';

/** What the framework declares for a route. */
type DeclaredRoute = Pick<InternalRoute, 'method' | 'path' | 'handler' | 'hooks'>;

/** A route that a request matches. */
interface Target {
  /** Its pattern, such as `/api/v1/receipts/:id`. */
  route: string;
  run: CompiledRoute;
  /** The page that shows the same to people; null for none. */
  page: PagePath | null;
}

/** Decodes a part of a path. Returns null for one that is not encoded properly, which no schema accepts. */
function decoded(part: string): string | null {
  if (!part.includes('%')) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

/** Finds the route of a request by the router of the framework. A route is compiled by its first request. */
export class Router {
  private readonly tree = new Memoirist<Target>({ onParam: decoded });

  constructor(routes: readonly DeclaredRoute[], settings: RouteSettings) {
    const pages = pagesOfPaths(routes);
    for (const route of routes) {
      const compiled = lazy(() => compileRoute(route, settings));
      const { method, path } = route;
      const page = method === 'GET' ? (pages.get(path) ?? null) : null;
      this.tree.add(method, path, { route: path, run: (exchange) => compiled()(exchange), page });
    }
  }

  /** Returns the route of a method and a path, and the parts of the path that it names; null for none. */
  find(method: string, path: string): { store: Target; params: Record<string, string> } | null {
    return this.tree.find(method, path);
  }
}
