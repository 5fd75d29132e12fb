import { Elysia } from 'elysia';
import { CompressedText } from '../../../platform/http/openapi/compressed-text.ts';
import { noticeOf } from '../../../platform/http/openapi/demonstration.ts';
import type { Serving } from '../../http/serving.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';

const HIDDEN = { detail: { hide: true } } as const;
const HTML = 'text/html; charset=utf-8';

/** A page with its headers. */
interface ServedPage {
  text: CompressedText;
  headers: Readonly<Record<string, string>>;
}

/**
 * Returns the routes of the verifier: the page as the service serves it, which may read documents of this
 * origin, and the file to save, which never connects to anything and has the digest of the release. The pages
 * are made with the first request: most servers never get one. Both count as public reads.
 */
export function verifierRoutes({ auth, demonstration }: Serving<unknown, RouteAuth>) {
  const notice = noticeOf(demonstration);
  const counted = (make: () => Promise<ServedPage>) => {
    const send = once(make);
    return async ({ request }: { request: Request }): Promise<Response> =>
      send(request, await auth.byMethod.countRead(request));
  };
  return [
    new Elysia()
      .get(
        '/verify',
        counted(() => servedPage(notice)),
        HIDDEN,
      )
      .get('/verify.html', counted(savedPage), HIDDEN),
  ];
}

function once(make: () => Promise<ServedPage>) {
  let page: Promise<ServedPage> | null = null;
  return async (request: Request, limit: Readonly<Record<string, string>>): Promise<Response> => {
    page ??= make().catch((error: unknown) => {
      page = null;
      throw error;
    });
    const { text, headers } = await page;
    return text.respond(request, { ...headers, ...limit });
  };
}

async function servedPage(notice: string | null): Promise<ServedPage> {
  const { PLAIN, verifyPage, verifyPagePolicy } = await import('../../../platform/verify-page/page.ts');
  const options = { ...PLAIN, isServed: true };
  return {
    text: await CompressedText.of(verifyPage(options, notice)),
    headers: {
      'content-type': HTML,
      'content-security-policy': `${verifyPagePolicy(options)}; frame-ancestors 'none'`,
      'cache-control': 'no-cache',
    },
  };
}

async function savedPage(): Promise<ServedPage> {
  const { PLAIN, verifyPage, verifyPagePolicy } = await import('../../../platform/verify-page/page.ts');
  return {
    text: await CompressedText.of(verifyPage(PLAIN)),
    headers: {
      'content-type': HTML,
      'content-disposition': 'attachment; filename="verify.html"',
      'content-security-policy': `${verifyPagePolicy(PLAIN)}; frame-ancestors 'none'`,
      'cache-control': 'no-cache',
    },
  };
}
