import { Elysia } from 'elysia';
import { errorsInForm } from '../../../platform/http/errors/error-form.ts';
import { cacheCanonicalMembers } from '../../../platform/http/idempotency/once.ts';
import { MAX_BODY_ITEMS } from '../../../platform/http/request/body.ts';
import { isProtobuf, PROTOBUF_TYPE, rpcStatusForm } from '../../../platform/otlp/status.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import type { IngestContext } from '../ingest.ts';
import { MAX_INSTANCES, OTLP_BODY } from './body-rules.ts';
import { OtlpMetricsRequest, OtlpMetricsResponse } from './schema.ts';

export const otlpRoutes = (trust: IngestContext, { keyedWith }: RouteAuth) =>
  new Elysia({ tags: ['Data centers'] }).use(keyedWith(OTLP_BODY)).post(
    '/api/v1/datacenter/otlp/v1/metrics',
    async ({ request, body, principal, once, set }) => {
      if (request.headers.has('idempotency-key')) await cacheCanonicalMembers(body);
      // Loaded with the first request, since most servers have none.
      const { acceptMetrics } = await import('./export-metrics.ts');
      const result = await acceptMetrics(trust, principal, body, once);
      if (!isProtobuf(request)) return result;
      set.headers['content-type'] = PROTOBUF_TYPE;
      return (await import('./protobuf.ts')).encodeResult(result);
    },
    {
      keyed: 'issuer',
      body: OtlpMetricsRequest,
      response: { 200: OtlpMetricsResponse },
      detail: {
        operationId: 'exportMetrics',
        'x-idempotent': true,
        'x-other-encoding': {
          [PROTOBUF_TYPE]: { schema: { type: 'string', format: 'binary' } },
        },
        ...errorsInForm(rpcStatusForm),
        'x-values': { MAX_INSTANCES, MAX_BODY_ITEMS },
      },
    },
  );
