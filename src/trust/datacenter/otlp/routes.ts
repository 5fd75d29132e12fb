import { Elysia } from 'elysia';
import { MAX_BODY_ITEMS } from '../../../platform/http/request/body.ts';
import { commonErrors } from '../../http/errors.ts';
import { LIMITED_WRITE, responses } from '../../http/schema.ts';
import { clockErrors } from '../../log/clock/errors.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { quotasErrors } from '../../operators/quotas/errors.ts';
import type { IngestContext } from '../ingest.ts';
import { MAX_INSTANCES, OTLP_BODY } from './body.ts';
import { OtlpMetricsRequest, OtlpMetricsResponse } from './schema.ts';

export const otlpRoutes = (trust: IngestContext, { keyedWith }: RouteAuth) =>
  new Elysia({ tags: ['Data centers'] }).use(keyedWith(OTLP_BODY)).post(
    '/api/v1/datacenter/otlp/v1/metrics',
    async ({ body, principal, once }) => {
      // Loaded with the first request, since most servers have none.
      const { acceptMetrics } = await import('./export-metrics.ts');
      return acceptMetrics(trust, principal, body, once);
    },
    {
      keyed: 'issuer',
      body: OtlpMetricsRequest,
      response: responses(
        { 200: OtlpMetricsResponse },
        LIMITED_WRITE,
        clockErrors.clock_wrong,
        quotasErrors.quota_exceeded,
        commonErrors.idempotency_key_reused,
      ),
      detail: {
        operationId: 'exportMetrics',
        'x-idempotent': true,
        'x-values': { MAX_INSTANCES, MAX_BODY_ITEMS },
      },
    },
  );
