import type { AnyElysia } from 'elysia';

interface Route {
  method: string;
  pattern: RegExp;
  /** Documented as needing no credentials, so that pages of any origin may call it. */
  open: boolean;
}

const PREFLIGHT = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, HEAD, POST',
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
    const methods = this.at(path).map(({ method }) => method);
    return methods.includes('GET') ? [...methods, 'HEAD'] : methods;
  }

  /** The answer to OPTIONS: the methods, and for public routes leave to be read by any page (CORS preflight). */
  options(path: string): { status: number; headers: Record<string, string> } {
    const methods = this.methodsAt(path);
    const allow = { allow: [...methods, 'OPTIONS'].join(', ') };
    const isOpen = this.at(path).some(({ open }) => open);
    return { status: methods.length === 0 ? 404 : 204, headers: isOpen ? { ...allow, ...PREFLIGHT } : allow };
  }

  private at(path: string): readonly Route[] {
    return this.routes.filter(({ pattern }) => pattern.test(path));
  }
}
