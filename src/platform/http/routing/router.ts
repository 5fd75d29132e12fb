import type { InternalRoute } from 'elysia';
import { Memoirist } from 'memoirist';
import { lazy } from '../../lazy.ts';
import { type CompiledRoute, compileRoute, type RouteSettings } from './compile-route.ts';

/** A route that a request matches. */
interface Target {
  /** Its pattern, such as `/api/v1/receipts/:id`. */
  route: string;
  run: CompiledRoute;
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

  constructor(routes: readonly InternalRoute[], settings: RouteSettings) {
    for (const route of routes) {
      const compiled = lazy(() => compileRoute(route, settings));
      const { method, path } = route;
      this.tree.add(method, path, { route: path, run: (exchange) => compiled()(exchange) });
    }
  }

  /** Returns the route of a method and a path, and the parts of the path that it names; null for none. */
  find(method: string, path: string): { store: Target; params: Record<string, string> } | null {
    return this.tree.find(method, path);
  }
}
