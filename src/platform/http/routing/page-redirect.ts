import type { InternalRoute } from 'elysia';
import { pageRouteOf } from '../request/page-route.ts';

/** Returns the path of a page for the parameters of a request; null if one of them was not decoded. */
export type PagePath = (params: Readonly<Record<string, string | null>>) => string | null;

type RouteWithDetail = Pick<InternalRoute, 'path' | 'hooks'>;

/**
 * Returns the pages of paths of the API, by these paths as routes declare them. The routes of pages say which
 * paths they show.
 * @throws Error for a path with two pages, and for a page that needs a parameter which the path lacks
 */
export function pagesOfPaths(routes: readonly RouteWithDetail[]): ReadonlyMap<string, PagePath> {
  const pages = new Map<string, PagePath>();
  for (const { path: page, hooks } of routes) {
    for (const path of pageRouteOf(hooks.detail)?.shows ?? []) {
      if (pages.has(path)) throw new Error(`two pages show ${path}`);
      const names = parametersOf(path);
      const unknown = parametersOf(page).find((name) => !names.includes(name));
      if (unknown !== undefined) throw new Error(`${path} has no parameter ${unknown} of the page ${page}`);
      pages.set(path, pathOf(page));
    }
  }
  return pages;
}

function parametersOf(path: string): string[] {
  return [...path.matchAll(/:([^/]+)/g)].map(([, name = '']) => name);
}

function pathOf(page: string): PagePath {
  const parts = page.split('/');
  return (params) => {
    const filled = parts.map((part) => {
      if (!part.startsWith(':')) return part;
      const value = params[part.slice(1)] ?? null;
      return value === null || !value.isWellFormed() ? null : encodeURIComponent(value);
    });
    return filled.includes(null) ? null : filled.join('/');
  };
}
