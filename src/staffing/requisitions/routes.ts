import { Elysia } from 'elysia';
import type { StaffingAuth } from '../http/auth.ts';
import { PREFIX } from '../http/schema.ts';
import { cancelRequisition } from './cancel.ts';
import { changeRequisition } from './change.ts';
import { deleteRequisition } from './delete.ts';
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
        response: { 200: RequisitionResponse, 201: RequisitionResponse },
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
      response: { 200: RequisitionListResponse },
      detail: { operationId: 'listJobs' },
    })
    .get('/jobs/:id', ({ principal, params }) => getRequisition(context, principal, params.id), {
      keyed: 'jobs:read',
      params: RequisitionPath,
      response: { 200: RequisitionResponse },
      detail: { operationId: 'getJob' },
    })
    .patch(
      '/jobs/:id',
      ({ principal, params, body }) => changeRequisition(context, principal, params.id, body),
      {
        keyed: 'jobs:write',
        params: RequisitionPath,
        body: RequisitionChangeRequest,
        response: { 200: RequisitionResponse },
        detail: { operationId: 'changeJob' },
      },
    )
    .post('/jobs/:id/cancel', ({ principal, params }) => cancelRequisition(context, principal, params.id), {
      keyed: 'jobs:write',
      params: RequisitionPath,
      response: { 200: RequisitionResponse },
      detail: { operationId: 'cancelJob' },
    })
    .delete('/jobs/:id', ({ principal, params }) => deleteRequisition(context, principal, params.id), {
      keyed: 'jobs:write',
      params: DeletedRequisitionPath,
      response: { 200: DeletedRequisitionResponse },
      detail: { operationId: 'deleteJob' },
    });
