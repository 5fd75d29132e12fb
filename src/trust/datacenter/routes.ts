import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import type { Cursors } from '../../platform/http/pagination/cursor.ts';
import type { Store } from '../../platform/store/store.ts';
import { commonErrors } from '../http/errors.ts';
import { problemOf } from '../http/schema.ts';
import type { TrustLog } from '../log/lifecycle/open.ts';
import type { RouteAuth } from '../operators/auth/route-auth.ts';
import type { ServiceReceiptContext } from '../receipts/service-receipt.ts';
import { type IngestContext, ingestTelemetry } from './ingest.ts';
import { listTelemetryReceipts } from './list-receipts.ts';
import { retireMeter } from './retire.ts';
import {
  MeterPath,
  RetiredMeter,
  RetireRequest,
  TelemetryListQuery,
  TelemetryListResponse,
  TelemetryRequest,
  TelemetryResponse,
} from './schema.ts';

export const telemetryRoutes = (trust: IngestContext, { keyed }: RouteAuth) =>
  new Elysia({ tags: ['Data centers'] }).use(keyed).post(
    '/api/v1/datacenter/evidence',
    async ({ body, principal, once, set }) => {
      const ingested = await ingestTelemetry(trust, principal, body, once);
      set.status = ingested.duplicate ? 200 : 201;
      return ingested;
    },
    {
      keyed: 'issuer',
      body: TelemetryRequest,
      response: {
        200: TelemetryResponse,
        201: TelemetryResponse,
        409: problemOf([commonErrors.conflict], {
          evidence_id: Type.Optional(
            Type.String({ description: 'The item whose window overlaps. Only for an overlap.' }),
          ),
        }),
      },
      detail: { operationId: 'ingestTelemetry', 'x-idempotent': true },
    },
  );

export const meterRoutes = (trust: ServiceReceiptContext, { keyed }: RouteAuth) =>
  new Elysia({ tags: ['Data centers'] }).use(keyed).post(
    '/api/v1/datacenter/clusters/:id/meters/:instance_id/retire',
    async ({ params: { id: clusterId, instance_id: instanceId }, body: { at }, principal, once, set }) => {
      set.status = 201;
      return retireMeter(trust, principal, { clusterId, instanceId }, at, once);
    },
    {
      keyed: 'issuer',
      params: MeterPath,
      body: RetireRequest,
      response: { 201: RetiredMeter },
      detail: { operationId: 'retireMeter', 'x-idempotent': true },
    },
  );

export const telemetryReceiptRoutes = (
  trust: { store: Store; cursors: Cursors; log: TrustLog },
  { open }: RouteAuth,
) =>
  new Elysia({ tags: ['Data centers'] })
    .use(open)
    .get('/api/v1/datacenter/receipts', ({ query }) => listTelemetryReceipts(trust, query), {
      open: 'publicReads',
      query: TelemetryListQuery,
      response: { 200: TelemetryListResponse },
      detail: { operationId: 'listTelemetryReceipts', security: [] },
    });
