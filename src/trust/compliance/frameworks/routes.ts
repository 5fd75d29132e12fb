import { Elysia } from 'elysia';
import { sha256Hex } from '../../../platform/crypto/crypto.ts';
import { isNotModified } from '../../../platform/http/request/conditional.ts';
import { ETAG_HEADER, NotModified, written } from '../../../platform/http/schema.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { CatalogueResponse } from './schema.ts';

const CACHING = 'public, max-age=3600';

/**
 * Returns the catalogue as JSON with its entity tag. It depends only on the program, so it is written once.
 */
async function writeCatalogue(): Promise<{ json: string; etag: string }> {
  // Loaded with the first request, since most servers have none.
  const { FRAMEWORKS } = await import('../../../proof/package/frameworks/catalogue.ts');
  const { catalogueView } = await import('./catalogue-view.ts');
  const json = JSON.stringify(catalogueView(Object.values(FRAMEWORKS)));
  return { json, etag: `"${sha256Hex(json).slice(0, 32)}"` };
}

export const frameworkRoutes = ({ open }: RouteAuth) => {
  let catalogue: ReturnType<typeof writeCatalogue> | null = null;
  return new Elysia({ tags: ['Compliance'] }).use(open).get(
    '/api/v1/compliance/frameworks',
    async ({ request, set, status }) => {
      catalogue ??= writeCatalogue();
      const { json, etag } = await catalogue;
      if (isNotModified(request, set.headers, etag, CACHING)) return status(304, undefined);
      set.headers['content-type'] = 'application/json';
      return json;
    },
    {
      open: 'free',
      response: { 200: written(CatalogueResponse), 304: NotModified },
      detail: {
        operationId: 'listComplianceFrameworks',
        'x-response-headers': { ETag: ETAG_HEADER, 'Cache-Control': 'An hour.' },
        security: [],
      },
    },
  );
};
