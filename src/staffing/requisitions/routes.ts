import { Elysia } from 'elysia';
import type { StaffingAuth } from '../http/auth.ts';
import { commonErrors } from '../http/errors.ts';
import { BODY, KEYED, PREFIX, responses } from '../http/schema.ts';
import { registryErrors } from '../registry/errors.ts';
import { cancelRequisition } from './cancel.ts';
import { changeRequisition } from './change.ts';
import { deleteRequisition } from './delete.ts';
import { requisitionsErrors } from './errors.ts';
import { getRequisition } from './get.ts';
import { listRequisitions } from './list.ts';
import {
  DeletedRequisitionPath,
  DeletedRequisitionResponse,
  RequisitionChangeRequest,
  RequisitionListQuery,
  RequisitionListResponse,
  RequisitionPath,
  RequisitionRequest,
  RequisitionResponse,
} from './schema.ts';
import type { Requisitions } from './services.ts';
import { submitRequisition } from './submit.ts';

export const requisitionRoutes = (context: Requisitions, { keyed }: StaffingAuth) =>
  new Elysia({ prefix: PREFIX, tags: ['Requisitions'] })
    .use(keyed)
    .post(
      '/jobs',
      async ({ principal, body, once, set }) => {
        const { status, job } = await submitRequisition(context, principal, body, once);
        set.status = status;
        if (status === 201) set.headers.location = `${PREFIX}/jobs/${job.id}`;
        return job;
      },
      {
        keyed: 'jobs:write',
        body: RequisitionRequest,
        response: responses(
          { 200: RequisitionResponse, 201: RequisitionResponse },
          KEYED,
          BODY,
          requisitionsErrors.REQUISITION_LIMIT_REACHED,
          requisitionsErrors.EXTERNAL_ID_CONFLICT,
          commonErrors.IDEMPOTENCY_CONFLICT,
          registryErrors.REGISTRY_UNAVAILABLE,
        ),
        detail: {
          operationId: 'submitJob',
          'x-idempotent': true,
          'x-status-headers': { 201: { Location: 'The path of the new requisition.' } },
        },
      },
    )
    .get('/jobs', ({ principal, query }) => listRequisitions(context, principal, query), {
      keyed: 'jobs:read',
      query: RequisitionListQuery,
      response: responses({ 200: RequisitionListResponse }, KEYED, commonErrors.INVALID_CURSOR),
      detail: { operationId: 'listJobs' },
    })
    .get('/jobs/:id', ({ principal, params }) => getRequisition(context, principal, params.id), {
      keyed: 'jobs:read',
      params: RequisitionPath,
      response: responses({ 200: RequisitionResponse }, KEYED, commonErrors.NOT_FOUND),
      detail: { operationId: 'getJob' },
    })
    .patch(
      '/jobs/:id',
      ({ principal, params, body }) => changeRequisition(context, principal, params.id, body),
      {
        keyed: 'jobs:write',
        params: RequisitionPath,
        body: RequisitionChangeRequest,
        response: responses(
          { 200: RequisitionResponse },
          KEYED,
          BODY,
          commonErrors.NOT_FOUND,
          commonErrors.INVALID_STATE,
          registryErrors.REGISTRY_UNAVAILABLE,
        ),
        detail: { operationId: 'changeJob' },
      },
    )
    .post('/jobs/:id/cancel', ({ principal, params }) => cancelRequisition(context, principal, params.id), {
      keyed: 'jobs:write',
      params: RequisitionPath,
      response: responses(
        { 200: RequisitionResponse },
        KEYED,
        BODY,
        commonErrors.NOT_FOUND,
        commonErrors.INVALID_STATE,
      ),
      detail: { operationId: 'cancelJob' },
    })
    .delete('/jobs/:id', ({ principal, params }) => deleteRequisition(context, principal, params.id), {
      keyed: 'jobs:write',
      params: DeletedRequisitionPath,
      response: responses(
        { 200: DeletedRequisitionResponse },
        KEYED,
        BODY,
        commonErrors.NOT_FOUND,
        commonErrors.INVALID_STATE,
      ),
      detail: { operationId: 'deleteJob' },
    });
