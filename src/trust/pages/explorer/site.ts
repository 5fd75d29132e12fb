import { sha256Hex } from '../../../platform/crypto/crypto.ts';
import { noticeOf } from '../../../platform/http/openapi/demonstration.ts';
import { prefersPage } from '../../../platform/http/request/accept.ts';
import { isNotModified } from '../../../platform/http/request/conditional.ts';
import type { ErrorOfPage } from '../../../platform/http/request/page-route.ts';
import { lazy } from '../../../platform/lazy.ts';
import type { RenderedPage } from '../../../platform/page/document.ts';
import type { Serving } from '../../http/serving.ts';
import { commonOrigin } from '../../log/logs.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import type { ExplorerContext } from './context.ts';
import type { PageDefinition } from './definition.ts';
import { Explorer } from './explorer.ts';
import type { Frame } from './layout/layout.ts';
import { explorerSettings } from './settings.ts';
import type { Shown } from './shown.ts';

/** The service that the explorer belongs to. */
export type ExplorerServing = Serving<ExplorerContext, RouteAuth>;

/** The parts of a request and its response that a page needs. */
export interface Exchange {
  request: Request;
  set: { headers: Record<string, string | number>; status?: number | string };
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
}

/** The pages of the explorer: who sees them, what they count as, and how they become responses. */
export class ExplorerSite {
  private readonly auth: RouteAuth;
  private readonly explorer: Explorer;
  private readonly frame: () => Frame;
  private readonly isForSessions: boolean;

  /** @param pages all pages, for the navigation */
  constructor(
    { auth, trust, config, demonstration, version }: ExplorerServing,
    pages: readonly PageDefinition[],
  ) {
    this.auth = auth;
    this.explorer = new Explorer(trust, demonstration);
    // A stopped service without its signing keys has no log.
    this.frame = lazy(() => ({
      navigation: pages.flatMap(({ path, navigation }) =>
        navigation === null ? [] : [{ path, name: navigation }],
      ),
      service: commonOrigin(trust.log.open),
      version,
      notice: noticeOf(demonstration),
    }));
    this.isForSessions = explorerSettings.explorer.in(config) === 'session';
  }

  /**
   * Sends a page. It counts as the operations of the API do that say the same, nearly always as a public
   * read.
   * @throws Refusal rate; ApiError as the page; unauthorized for a request without a session that needs one
   */
  async send(exchange: Exchange, page: PageDefinition): Promise<string> {
    const { request, set, params, query } = exchange;
    Object.assign(set.headers, await this.auth.byMethod.countRead(request, page.limit));
    if (page.programs !== null) {
      set.headers.vary = 'Accept';
      if (!prefersPage(request)) return redirect(exchange, 302, page.programs);
    }
    if (this.isForSessions) await this.auth.byMethod.authenticate(request, 'session', set.headers);
    const made = await page.make(this.explorer, params, query);
    return 'location' in made ? redirect(exchange, 303, made.location) : this.show(exchange, page, made);
  }

  /** Returns the page of an error, in the layout of the others. */
  async errorPage(failed: ErrorOfPage): Promise<RenderedPage> {
    const [{ renderExplorerPage }, { errorPageOf }] = await Promise.all([
      import('./layout/layout.ts'),
      import('./layout/error.ts'),
    ]);
    return renderExplorerPage(errorPageOf(failed), null, this.frame());
  }

  private async show({ request, set }: Exchange, { path }: PageDefinition, shown: Shown): Promise<string> {
    const { renderExplorerPage } = await import('./layout/layout.ts');
    const { text, headers } = renderExplorerPage(shown, path, this.frame());
    Object.assign(set.headers, headers);
    const etag = `"${sha256Hex(text).slice(0, 32)}"`;
    if (!isNotModified(request, set.headers, etag, this.isForSessions ? 'private, no-cache' : 'no-cache'))
      return text;
    set.status = 304;
    return '';
  }
}

function redirect({ set }: Exchange, status: 302 | 303, location: string): string {
  set.status = status;
  Object.assign(set.headers, { location, 'content-type': 'text/plain; charset=utf-8' });
  return '';
}
