import { Elysia } from 'elysia';
import { cacheCanonicalMembers } from '../../../platform/http/idempotency/once.ts';
import { MAX_BODY_ITEMS } from '../../../platform/http/request/body.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import type { IngestContext } from '../ingest.ts';
import { MAX_INSTANCES, OTLP_BODY } from './body-rules.ts';
import { OtlpMetricsRequest, OtlpMetricsResponse } from './schema.ts';

export const otlpRoutes = (trust: IngestContext, { keyedWith }: RouteAuth) =>
  new Elysia({ tags: ['Data centers'] }).use(keyedWith(OTLP_BODY)).post(
    '/api/v1/datacenter/otlp/v1/metrics',
    async ({ request, body, principal, once }) => {
      if (request.headers.has('idempotency-key')) await cacheCanonicalMembers(body);
      // Loaded with the first request, since most servers have none.
      const { acceptMetrics } = await import('./export-metrics.ts');
      return acceptMetrics(trust, principal, body, once);
    },
    {
      keyed: 'issuer',
      body: OtlpMetricsRequest,
      response: { 200: OtlpMetricsResponse },
      detail: {
        operationId: 'exportMetrics',
        'x-idempotent': true,
        'x-values': { MAX_INSTANCES, MAX_BODY_ITEMS },
      },
    },
  );
