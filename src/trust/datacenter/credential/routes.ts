import { Elysia } from 'elysia';
import { NotModified } from '../../../platform/http/schema.ts';
import { SUSTAINABILITY_CONTEXT_PATH } from '../../../proof/credential/contexts.ts';
import { clockErrors } from '../../clock/errors.ts';
import { CACHING, CONTEXT_HEADERS, isNotModified, sendContext } from '../../credentials/signed-text.ts';
import { commonErrors } from '../../http/errors.ts';
import { PUBLIC, responses, STORED } from '../../http/schema.ts';
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
          PUBLIC,
          STORED,
          clockErrors.clock_wrong,
          commonErrors.forbidden,
          commonErrors.not_found,
        ),
        detail: {
          operationId: 'getClusterCredential',
          'x-answer-headers': CACHING,
          summary: 'Get the metrics of a cluster as a W3C credential',
          description:
            'A DataCenterSustainabilityCredential (VC Data Model 2.0) with the metrics of the scorecard for today and the 364 days before. ' +
            'Suite, issuer, status list, validity and revocation are those of `GET /api/v1/credentials/{commitment}`, and ' +
            '`POST /api/v1/credentials/verify` and `countersign verify` accept it. The same credential is returned until ' +
            'telemetry arrives, the day ends, 12 hours pass, it is revoked or the key changes. `checkpoint` cites a checkpoint of the log of receipts ' +
            'that has the receipts of all telemetry; if the newest is in none yet, the response waits for it, about a second. While the ' +
            'account of the operator of the cluster is suspended or closed, this returns 403, and its credentials count as revoked.',
          security: [],
        },
      },
    )
    .get(SUSTAINABILITY_CONTEXT_PATH, ({ set }) => sendContext(set.headers, sustainabilityContext()), {
      open: 'free',
      response: responses({ 200: SustainabilityContextText }, commonErrors.validation_error),
      detail: {
        operationId: 'getSustainabilityContext',
        'x-answer-headers': CONTEXT_HEADERS,
        summary: 'Get the JSON-LD context of credentials about clusters',
        description: 'Defines every term of credentials about clusters, version 1. It never changes.',
        security: [],
      },
    });
