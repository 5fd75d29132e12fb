import { Elysia } from 'elysia';
import { NotModified } from '../../../platform/http/schema.ts';
import { SUSTAINABILITY_CONTEXT_PATH } from '../../../proof/credential/contexts.ts';
import { CACHING, CONTEXT_HEADERS, isNotModified, sendContext } from '../../credentials/signed-text.ts';
import { commonErrors } from '../../http/errors.ts';
import { PUBLIC_READ, responses } from '../../http/schema.ts';
import { clockErrors } from '../../log/clock/errors.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { ClusterPath } from '../schema.ts';
import { sustainabilityContext } from './context-document.ts';
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
        response: responses(
          { 200: ClusterCredentialText, 304: NotModified },
          PUBLIC_READ,
          clockErrors.clock_wrong,
          commonErrors.forbidden,
          commonErrors.not_found,
        ),
        detail: { operationId: 'getClusterCredential', 'x-response-headers': CACHING, security: [] },
      },
    )
    .get(SUSTAINABILITY_CONTEXT_PATH, ({ set }) => sendContext(set.headers, sustainabilityContext()), {
      open: 'free',
      response: responses({ 200: SustainabilityContextText }, commonErrors.validation_error),
      detail: {
        operationId: 'getSustainabilityContext',
        'x-response-headers': CONTEXT_HEADERS,
        security: [],
      },
    });
