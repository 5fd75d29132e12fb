import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import type { Cursors } from '../../platform/http/pagination/cursor.ts';
import type { Store } from '../../platform/store/store.ts';
import { agentsErrors } from '../agents/errors.ts';
import { clockErrors } from '../clock/errors.ts';
import { commonErrors } from '../http/errors.ts';
import { PUBLIC, problemOf, responses, STORED, WRITE } from '../http/schema.ts';
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
        WRITE,
        clockErrors.clock_wrong,
        PUBLIC,
        agentsErrors.invalid_proof,
        commonErrors.agent_not_enrolled,
        quotasErrors.quota_exceeded,
        commonErrors.idempotency_key_reused,
      ),
      detail: {
        'x-idempotent': true,
        operationId: 'ingestTelemetry',
        summary: 'Send telemetry of a cluster',
        description:
          'Stores measurements of one instance over one window. The service issues, finalizes and logs a receipt for them: 201 means that ' +
          'both are durable. Needs an issuer key; holder keys get 403. The first operator that sends telemetry of a cluster_id owns ' +
          'it, and others get 403. Cluster ids are first come, first served: they prove no ownership of a facility. A self-provisioned ' +
          'operator has at most 10 clusters (the setting `quotas.free.clusters`).\n\n' +
          'Each event_type needs a measurement: HARDWARE_POWER_VALIDATION measured_power_avg_w, it_energy_kwh or facility_energy_kwh; ' +
          'POLICY_SETPOINT_TRANSITION policy_setpoint_applied; THERMAL_SAFETY_AUDIT peak_junction_temp_c, inlet_temp_c or ' +
          'thermal_throttle_observed; CARBON_AVOIDED_ACCRUAL carbon_avoided_kg or energy_saved_kwh; WORKLOAD_ENERGY_EFFICIENCY ' +
          'it_energy_kwh or measured_power_avg_w. 400 for values that cannot be: less energy of the facility than of its IT equipment, ' +
          'renewable or reused energy above that of the facility, a mean power that does not match the energy or the nameplate within a ' +
          'factor of 1.5, an inlet hotter than the junction, a window that is reversed, longer than 31 days or in the future.\n\n' +
          '`class` is fixed when telemetry arrives. `simulated`: origin is synthetic. `hardware_measured`: origin is live-instrument, and ' +
          'an enrolled agent that your operator sponsors signed the body without `signature` (Ed25519 over the 64 characters of the ' +
          'digest). `declared`: any other. No metric mixes classes.\n\n' +
          'Windows of one instance and event_type do not overlap: 409 `conflict` with the `evidence_id` of the other item. The same body ' +
          'again returns 200 with `duplicate: true`. Energy of an instance counts once in each class: if an item of another event_type and ' +
          'the same class already counts for a part of the window, the new one is stored with `counts_energy: false`. ' +
          'CARBON_AVOIDED_ACCRUAL counts only as avoided ' +
          'carbon and saved energy. An item belongs to the UTC day in which its window ends. Values are stored as integers (mWh, mL, mW, ' +
          'thousandths of a degree, mg for each kWh, grams), rounded to the nearest one. Telemetry cannot be changed or deleted; revoking its ' +
          'receipt does not change any metric.\n\n' +
          'In the receipt, agent_id is the instance_id, authority_scope is `datacenter:` and the cluster_id, input_digest is the digest ' +
          'of the body (`payload_digest`), and output_hash the digest of {evidence_id, cluster_id, class, counts_energy, payload_digest}. ' +
          'It costs nothing and does not count for the gate.',
      },
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
      response: responses({ 200: TelemetryListResponse }, PUBLIC, STORED, commonErrors.not_found),
      detail: {
        operationId: 'listTelemetryReceipts',
        summary: 'List the receipts of telemetry',
        description:
          'The receipts of the telemetry of all clusters or of one, newest first, in pages. `checkpoint` is the newest of the log of ' +
          'receipts, and `inclusion` proves that its tree contains the receipt: hash leaf_entry to leaf_hash, and leaf_hash with the ' +
          'hashes to the root_hash of the checkpoint (RFC 6962). leaf_entry has the content_hash and the signature of the receipt when it ' +
          'was finalized. The bodies of telemetry are not shown; their digest is.',
        security: [],
      },
    });
