import { Elysia } from 'elysia';
import { NotModified } from '../../../platform/http/schema.ts';
import {
  SUSTAINABILITY_CONTEXT_PATH,
  SUSTAINABILITY_CONTEXT_V1_PATH,
} from '../../../proof/credential/contexts.ts';
import { CACHING, CONTEXT_HEADERS, isNotModified, sendContext } from '../../credentials/signed-text.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { ClusterPath } from '../schema.ts';
import { sustainabilityContext, sustainabilityContextV1 } from './context-document.ts';
import { type ClusterCredentialContext, getClusterCredential } from './issue.ts';
import { ClusterCredentialText, SustainabilityContextText } from './schema.ts';

export const clusterCredentialRoutes = (trust: ClusterCredentialContext, { open }: RouteAuth) =>
  new Elysia({ tags: ['Data centers'] })
    .use(open)
    .get(
      '/api/v1/datacenter/clusters/:id/credential',
      async ({ params: { id }, request, set, status }) => {
        const signed = await getClusterCredential(trust, id);
        return isNotModified(signed, request, set.headers) ? status(304, undefined) : signed.json;
      },
      {
        open: 'publicReads',
        params: ClusterPath,
        response: { 200: ClusterCredentialText, 304: NotModified },
        detail: { operationId: 'getClusterCredential', 'x-response-headers': CACHING, security: [] },
      },
    )
    .get(SUSTAINABILITY_CONTEXT_PATH, ({ set }) => sendContext(set.headers, sustainabilityContext()), {
      open: 'free',
      response: { 200: SustainabilityContextText },
      detail: {
        operationId: 'getSustainabilityContext',
        'x-response-headers': CONTEXT_HEADERS,
        security: [],
      },
    })
    .get(SUSTAINABILITY_CONTEXT_V1_PATH, ({ set }) => sendContext(set.headers, sustainabilityContextV1()), {
      open: 'free',
      response: { 200: SustainabilityContextText },
      detail: {
        operationId: 'getSustainabilityContextV1',
        'x-response-headers': CONTEXT_HEADERS,
        security: [],
      },
    });
