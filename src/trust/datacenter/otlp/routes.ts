import { Elysia } from 'elysia';
import { MAX_BODY_ITEMS } from '../../../platform/http/request/body.ts';
import { clockErrors } from '../../clock/errors.ts';
import { commonErrors } from '../../http/errors.ts';
import { PUBLIC, responses, WRITE } from '../../http/schema.ts';
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
        WRITE,
        clockErrors.clock_wrong,
        PUBLIC,
        quotasErrors.quota_exceeded,
        commonErrors.idempotency_key_reused,
      ),
      detail: {
        'x-idempotent': true,
        operationId: 'exportMetrics',
        summary: 'Send hw.* metrics of OpenTelemetry as telemetry of clusters',
        description:
          'OTLP/HTTP with the JSON encoding, uncompressed or in gzip; protobuf gets 415. Needs an issuer key. Each window of an instance ' +
          'becomes one item of telemetry with a receipt, as in `POST /api/v1/datacenter/evidence`: class `declared`, or `simulated` if ' +
          'the resource attribute `countersign.origin` is `synthetic`.\n\n' +
          'The cluster is the resource attribute `countersign.cluster.id`, else `k8s.cluster.name`; the instance is ' +
          '`service.instance.id`, else `host.id`, else `host.name`. Mapped are the counters `hw.host.energy`, `countersign.it.energy`, ' +
          '`countersign.facility.energy`, `countersign.renewable.energy`, `countersign.reused.energy` (J, kJ, MJ, GJ, W.h, kW.h, MW.h) ' +
          'and `countersign.water` (L, mL, m3), and the gauges `hw.host.power`, `countersign.nameplate.power` (W, mW, kW, MW), ' +
          '`hw.host.ambient_temperature`, `hw.temperature` (Cel, K) and `countersign.grid.carbon_intensity` (g/kW.h). A metric ' +
          'needs its unit.\n\n' +
          'Counters have delta or cumulative temporality. The first reading of a cumulative one, and the first after a reset, only is ' +
          'where the next one starts. Gauges belong to the window of a counter of the same instance; without counters they are valid ' +
          'from the previous value on, for at most an hour. Data points that are not accepted are counted in `partialSuccess`, with the reasons; ' +
          'all others are stored in one transaction. The same request again stores nothing. At most ' +
          `${MAX_INSTANCES} instances and windows in a request (413), 1 MiB after decompression, ${MAX_BODY_ITEMS} members and elements.`,
      },
    },
  );
