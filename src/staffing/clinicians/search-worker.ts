/**
 * The Worker that renders pages of searches with a connection of its own. It responds to every message with
 * requests by one message with their pages, in order; a request that it cannot serve gets null, and the main
 * thread serves it.
 */
import { closeRegistry, openRegistry, type Registry } from '../registry/open.ts';
import { type RenderedPage, renderPage } from './page.ts';
import type { ServedFile, SkippedRowMessage, ThreadMessage, ThreadPage } from './search-threads.ts';

declare const self: Worker;

let open: Registry | null = null;

self.onmessage = ({ data }: MessageEvent<ThreadMessage>) => {
  if ('requests' in data) self.postMessage(data.requests.map(pageOf));
  else serve(data);
};

function serve({ path, isMapped }: ServedFile): void {
  try {
    if (open === null || open.path !== path) {
      if (open !== null) closeRegistry(open);
      open = null;
      open = openRegistry(path, (npi, isLast) => {
        self.postMessage({ npi, isLast } satisfies SkippedRowMessage);
      });
    }
    if (isMapped) open.mapFile();
  } catch {
    // Without a registry every request gets null.
    open = null;
  }
}

function pageOf(request: Parameters<typeof renderPage>[1]): ThreadPage | null {
  if (open === null) return null;
  const registry = open;
  try {
    return registry.atOnce(() => {
      const page: RenderedPage = renderPage(registry, request);
      return { ...page, path: registry.path, state: registry.engine.state };
    });
  } catch {
    return null;
  }
}
