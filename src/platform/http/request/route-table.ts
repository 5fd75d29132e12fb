import type { InternalRoute } from 'elysia';
import { lazy } from '../../lazy.ts';
import { type ErrorForm, errorFormOf } from '../errors/error-form.ts';
import { type PageRoute, pageRouteOf } from './page-route.ts';

interface Route {
  method: string;
  pattern: RegExp;
  /** True if the documentation declares no credentials, so that pages of any origin may call it. */
  open: boolean;
  /** What a route of pages says of itself. */
  page: PageRoute | null;
  /** The form of its errors; null for that of the service. */
  errorForm: ErrorForm | null;
}

const PREFLIGHT = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'content-type',
  'access-control-max-age': '86400',
};

/**
 * Returns whether an operation needs no credentials: it declares no scheme, or an empty one as an
 * alternative.
 */
function isOpen(security: readonly object[] | undefined): boolean {
  return security?.every((choice) => Object.keys(choice).length > 0) === false || security?.length === 0;
}

/** The methods of each path, for the rare requests that no route matches. */
export class RouteTable {
  private readonly routes: () => readonly Route[];
  private readonly pages: () => readonly Route[];
  private readonly formed: () => readonly Route[];

  constructor(routes: readonly Pick<InternalRoute, 'method' | 'path' | 'hooks'>[]) {
    // A start need not wait for some hundred patterns.
    this.routes = lazy(() =>
      routes.map(({ method, path, hooks }) => ({
        method,
        pattern: new RegExp(
          `^${path
            .replaceAll('.', '\\.')
            .replace(/:[^/]+/g, '[^/]+')
            .replace(/\*$/, '.+')}$`,
        ),
        open: isOpen(hooks.detail?.security),
        page: pageRouteOf(hooks.detail),
        errorForm: errorFormOf(hooks.detail),
      })),
    );
    this.pages = lazy(() => this.routes().filter(({ page }) => page !== null));
    this.formed = lazy(() => this.routes().filter(({ errorForm }) => errorForm !== null));
  }

  /** Returns the form of the errors at `path`, for any method; null for that of the service. */
  errorFormAt(path: string): ErrorForm | null {
    return this.formed().find(({ pattern }) => pattern.test(path))?.errorForm ?? null;
  }

  /** Returns what the route of pages at `path` says of itself, for any method; null if it is none. */
  pageAt(path: string): PageRoute | null {
    return this.pages().find(({ pattern }) => pattern.test(path))?.page ?? null;
  }

  /** Returns the methods of `path`, with HEAD if it has GET; empty for an unknown path. */
  methodsAt(path: string): string[] {
    return withHead(this.at(path));
  }

  /** Returns the response to OPTIONS: the methods, and for public routes the headers of a CORS preflight. */
  options(path: string): { status: number; headers: Record<string, string> } {
    const methods = this.methodsAt(path);
    const allow = { allow: [...methods, 'OPTIONS'].join(', ') };
    const open = withHead(this.at(path).filter((route) => route.open));
    const leave = { ...PREFLIGHT, 'access-control-allow-methods': open.join(', ') };
    return {
      status: methods.length === 0 ? 404 : 204,
      headers: open.length > 0 ? { ...allow, ...leave } : allow,
    };
  }

  private at(path: string): readonly Route[] {
    return this.routes().filter(({ pattern }) => pattern.test(path));
  }
}

/** Returns each method once, because several patterns may match one path. */
function withHead(routes: readonly Route[]): string[] {
  const methods = new Set(routes.map(({ method }) => method));
  return [...(methods.has('GET') ? methods.add('HEAD') : methods)];
}
