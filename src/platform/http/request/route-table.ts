import type { AnyElysia } from 'elysia';

interface Route {
  method: string;
  pattern: RegExp;
  /** Documented as needing no credentials, so that pages of any origin may call it. */
  open: boolean;
}

const PREFLIGHT = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'content-type',
  'access-control-max-age': '86400',
};

/** Whether an operation may be called with nothing: it names no scheme, or names nothing as one of its choices. */
function isOpen(security: readonly object[] | undefined): boolean {
  return security?.every((choice) => Object.keys(choice).length > 0) === false || security?.length === 0;
}

/** Which methods a path knows: for the rare requests that no route answers. */
export class RouteTable {
  private readonly routes: readonly Route[];

  constructor(elysia: AnyElysia) {
    this.routes = elysia.routes.map(({ method, path, hooks }) => ({
      method,
      pattern: new RegExp(
        `^${path
          .replaceAll('.', '\\.')
          .replace(/:[^/]+/g, '[^/]+')
          .replace(/\*$/, '.+')}$`,
      ),
      open: isOpen(hooks.detail?.security),
    }));
  }

  /** The methods that `path` knows, HEAD beside GET; empty for a path that does not exist. */
  methodsAt(path: string): string[] {
    return withHead(this.at(path));
  }

  /** The answer to OPTIONS: the methods, and for public routes leave to be read by any page (CORS preflight). */
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
    return this.routes.filter(({ pattern }) => pattern.test(path));
  }
}

/** Each method once, although several patterns may fit one path. */
function withHead(routes: readonly Route[]): string[] {
  const methods = new Set(routes.map(({ method }) => method));
  return [...(methods.has('GET') ? methods.add('HEAD') : methods)];
}
