import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import type { Cursors } from '../../platform/http/pagination/cursor.ts';
import type { Store } from '../../platform/store/store.ts';
import { agentsErrors } from '../agents/errors.ts';
import { commonErrors } from '../http/errors.ts';
import { LIMITED_WRITE, PUBLIC_READ, problemOf, responses } from '../http/schema.ts';
import { clockErrors } from '../log/clock/errors.ts';
import type { TrustLog } from '../log/lifecycle/open.ts';
import type { RouteAuth } from '../operators/auth/route-auth.ts';
import { quotasErrors } from '../operators/quotas/errors.ts';
import { type IngestContext, ingestTelemetry } from './ingest.ts';
import { listTelemetryReceipts } from './list-receipts.ts';
import { TelemetryListQuery, TelemetryListResponse, TelemetryRequest, TelemetryResponse } from './schema.ts';

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
      response: responses(
        {
          200: TelemetryResponse,
          201: TelemetryResponse,
          409: problemOf([commonErrors.conflict], {
            evidence_id: Type.Optional(
              Type.String({ description: 'The item whose window overlaps. Only for an overlap.' }),
            ),
          }),
        },
        LIMITED_WRITE,
        clockErrors.clock_wrong,
        agentsErrors.invalid_proof,
        commonErrors.agent_not_enrolled,
        quotasErrors.quota_exceeded,
        commonErrors.idempotency_key_reused,
      ),
      detail: { operationId: 'ingestTelemetry', 'x-idempotent': true },
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
      response: responses({ 200: TelemetryListResponse }, PUBLIC_READ, commonErrors.not_found),
      detail: { operationId: 'listTelemetryReceipts', security: [] },
    });
