import { Elysia } from 'elysia';
import { listPartners } from '../accounts/partners/list.ts';
import { promotePartner } from '../accounts/partners/promote.ts';
import { revokePartnerKeys } from '../accounts/partners/revoke-keys.ts';
import type { Accounts } from '../accounts/services.ts';
import type { StaffingAuth } from '../http/auth.ts';
import { PREFIX } from '../http/schema.ts';
import {
  AdminRequisitionListResponse,
  AdminRequisitionResponse,
  LiveRequisitionPath,
} from '../requisitions/schema.ts';
import type { Requisitions } from '../requisitions/services.ts';
import { listAllJobs } from './list-all-jobs.ts';
import {
  AdminJobListQuery,
  CreatedKeyResponse,
  PartnerListQuery,
  PartnerListResponse,
  PartnerPath,
  PartnerResponse,
  RevokeRequest,
  StatusRequest,
} from './schema.ts';
import { setJobStatus } from './set-job-status.ts';

const security = [{ adminToken: [] }];

/** The services that the administration routes use. */
export type AdminServices = Accounts & Pick<Requisitions, 'sender'>;

/** The authentication that the administration routes use. */
export type AdminAuth = Pick<StaffingAuth, 'admin'>;

export const adminRoutes = (context: AdminServices, { admin }: AdminAuth) =>
  new Elysia({ prefix: `${PREFIX}/admin`, tags: ['Administration'] })
    .use(admin)
    .get('/partners', ({ query }) => listPartners(context, query), {
      keyed: true,
      query: PartnerListQuery,
      response: { 200: PartnerListResponse },
      detail: { operationId: 'listPartners', security },
    })
    .post('/partners/:id/promote', ({ params }) => promotePartner(context, params.id), {
      keyed: true,
      params: PartnerPath,
      response: { 200: CreatedKeyResponse },
      detail: { operationId: 'promotePartner', security },
    })
    .post(
      '/partners/:id/revoke',
      ({ params, body }) => revokePartnerKeys(context, params.id, body?.key_id ?? null),
      {
        keyed: true,
        params: PartnerPath,
        body: RevokeRequest,
        response: { 200: PartnerResponse },
        detail: { operationId: 'revokePartnerKeys', 'x-optional-body': true, security },
      },
    )
    .get('/jobs', ({ query }) => listAllJobs(context, query), {
      keyed: true,
      query: AdminJobListQuery,
      response: { 200: AdminRequisitionListResponse },
      detail: { operationId: 'listAllJobs', security },
    })
    .post('/jobs/:id/status', ({ params, body }) => setJobStatus(context, params.id, body.status), {
      keyed: true,
      params: LiveRequisitionPath,
      body: StatusRequest,
      response: { 200: AdminRequisitionResponse },
      detail: { operationId: 'setJobStatus', security },
    });
