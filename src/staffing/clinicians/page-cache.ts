import type { Registry } from '../registry/open.ts';

/** The number of pages in the cache, about 10 MB. */
const PAGES = 600;

/**
 * The pages of an open registry as JSON texts: clients request the same first pages all day. Pages are those
 * of one state of the file; the first page of another state empties the cache.
 */
interface PageCache {
  state: number;
  pages: Map<string, string>;
}

const caches = new WeakMap<Registry, PageCache>();

/** Returns a page from the cache; null when it has none. `question`: all inputs of the page. */
export function cachedPage(registry: Registry, question: string): string | null {
  const cache = caches.get(registry);
  return cache?.state === registry.engine.state ? (cache.pages.get(question) ?? null) : null;
}

/** Puts a page into the cache. @param state the state of the file to which it belongs */
export function keepPage(registry: Registry, question: string, page: string, state: number): void {
  if (state !== registry.engine.state) return;
  let cache = caches.get(registry);
  if (cache === undefined || cache.state !== state) {
    cache = { state, pages: new Map<string, string>() };
    caches.set(registry, cache);
  }
  if (cache.pages.size >= PAGES) cache.pages.clear();
  cache.pages.set(question, page);
}
