import css from 'swagger-ui-dist/swagger-ui.css' with { type: 'file' };
import bundle from 'swagger-ui-dist/swagger-ui-bundle.js' with { type: 'file' };
import type { JsonObject } from '../../../proof/encoding/json.ts';
import type { CompressedText } from './compressed-text.ts';
import type { Demonstration } from './demonstration.ts';
import type { ApiDescription } from './openapi.ts';
import { llmsText, robotsText, type Site, securityText } from './site-files.ts';
import { pageOf, startScript, THEME, THEME_CSS } from './swagger-page.ts';

/**
 * The page loads nothing from other origins and has no inline scripts. Swagger UI sets styles and data:
 * images.
 */
const PAGE_CSP =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** A document with its page. */
interface DocumentPage {
  /** The path before `/swagger` and `/openapi.json`. */
  at: string;
  title: string;
  describe(): ApiDescription;
  document(): Promise<JsonObject>;
}

type File = (request: Request) => Promise<Response> | Response;
type Files = Record<string, File>;

/**
 * Returns the handler of the documentation, which is embedded in the executable: Swagger UI at /swagger, the
 * document at /openapi.json, a redirect from / to /swagger unless a module serves it, and the files that
 * programs look for, such as /llms.txt. Further documents have their own pages. A document is created with
 * its first request, because most servers never get one.
 *
 * @param site what these files say
 * @param hasHomePage whether a module serves /
 * @param count counts a request, and returns the headers of its response or throws
 * @returns a handler that returns null for every other path, and rejects with what `count` throws
 */
export function createDocs(
  pages: readonly DocumentPage[],
  site: Site,
  demonstration: Demonstration | null,
  hasHomePage: boolean,
  count: (request: Request) => Promise<Record<string, string>>,
) {
  const styles = servedOften(() => Bun.file(css).text());
  const script = servedOften(() => Bun.file(bundle).text());
  const files: Files = {
    ...(hasHomePage
      ? {}
      : { '/': () => new Response(null, { status: 302, headers: { location: '/swagger' } }) }),
    '/swagger/theme.js': () => textResponse(THEME, 'text/javascript; charset=utf-8'),
    '/swagger/theme.css': () => textResponse(THEME_CSS, 'text/css; charset=utf-8'),
    '/swagger/swagger-ui.css': (request) => styles(request, headersOf('text/css; charset=utf-8')),
    '/swagger/swagger-ui-bundle.js': (request) =>
      script(request, headersOf('text/javascript; charset=utf-8')),
    ...siteFiles(pages[0], site, demonstration !== null),
    ...Object.assign({}, ...pages.map((page) => filesOf(page, demonstration))),
  };
  return (request: Request, path: string): Promise<Response> | null => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return null;
    const file = Object.hasOwn(files, path) ? files[path] : undefined;
    return file === undefined ? null : counted(request, file);
  };

  async function counted(request: Request, file: File): Promise<Response> {
    const headers = await count(request);
    const response = await file(request);
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
    return response;
  }
}

/** Returns the files about the service. RFC 9116 requires a contact: without one there is no security.txt. */
function siteFiles(main: DocumentPage | undefined, site: Site, isDemonstration: boolean): Files {
  const { unlisted, links, securityContact, clock } = site;
  const text = 'text/plain; charset=utf-8';
  const files: Files = { '/robots.txt': () => textResponse(robotsText(unlisted, isDemonstration), text) };
  if (main === undefined) return files;
  files['/llms.txt'] = () => textResponse(llmsText(main.describe(), links), text);
  if (securityContact !== null) {
    files['/.well-known/security.txt'] = () =>
      textResponse(securityText(securityContact, clock, main.describe().serverUrl), text);
  }
  return files;
}

/** Returns the files of one document: its page, the script that starts the page, and the document. */
function filesOf({ at, title, document }: DocumentPage, demonstration: Demonstration | null): Files {
  const openapi = servedOften(
    async () => JSON.stringify(await document()),
    () => demonstration?.requests?.(),
  );
  return {
    [`${at}/swagger`]: () =>
      textResponse(pageOf(at, title, demonstration), 'text/html; charset=utf-8', {
        'content-security-policy': PAGE_CSP,
      }),
    [`${at}/swagger/start.js`]: () =>
      textResponse(startScript(at, demonstration), 'text/javascript; charset=utf-8'),
    [`${at}/openapi.json`]: (request) =>
      openapi(request, { ...headersOf('application/json'), 'access-control-allow-origin': '*' }),
  };
}

/**
 * Returns a function that serves a text, compressed. The first request loads the text and the code for
 * compression. @param input returns what the text is made with: it is loaded again when that is another
 * object
 */
function servedOften(load: () => Promise<string>, input: () => unknown = () => undefined) {
  let known: Promise<CompressedText> | null = null;
  let madeWith: unknown;
  const compressed = async () => {
    const { CompressedText } = await import('./compressed-text.ts');
    return CompressedText.of(await load());
  };
  return async (request: Request, headers: Readonly<Record<string, string>>): Promise<Response> => {
    const current = await input();
    if (current !== madeWith) known = null;
    madeWith = current;
    known ??= compressed().catch((error: unknown) => {
      known = null;
      throw error;
    });
    return (await known).respond(request, headers);
  };
}

function textResponse(body: string, type: string, headers: Record<string, string> = {}): Response {
  return new Response(body, { headers: { ...headersOf(type), ...headers } });
}

function headersOf(type: string): Record<string, string> {
  return {
    'content-type': type,
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
  };
}
