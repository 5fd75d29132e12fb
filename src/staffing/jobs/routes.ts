import { Elysia } from 'elysia';
import type { StaffingAuth } from '../auth.ts';
import { BODY, KEYED, PREFIX, responses } from '../schema.ts';
import {
  DeletedJobAnswer,
  JobAnswer,
  JobChange,
  JobListAnswer,
  JobListQuery,
  JobPath,
  JobRequest,
} from './schema.ts';
import { cancelJob, changeJob, deleteJob, listJobs, type Requisitions, readJob, submit } from './service.ts';

export const jobRoutes = (context: Requisitions, { keyed }: StaffingAuth) =>
  new Elysia({ prefix: PREFIX, tags: ['Requisitions'] })
    .use(keyed)
    .post(
      '/jobs',
      async ({ principal, body, once, set }) => {
        const { status, job } = await submit(context, principal, body, once);
        set.status = status;
        if (status === 201) set.headers.location = `${PREFIX}/jobs/${job.id}`;
        return job;
      },
      {
        keyed: 'jobs:write',
        body: JobRequest,
        response: responses(
          { 200: JobAnswer, 201: JobAnswer },
          KEYED,
          BODY,
          'REQUISITION_LIMIT_REACHED',
          'EXTERNAL_ID_CONFLICT',
          'IDEMPOTENCY_CONFLICT',
          'REGISTRY_UNAVAILABLE',
        ),
        detail: {
          operationId: 'submitJob',
          summary: 'Submit a requisition',
          description:
            'Live ones are open at once and worked; sandbox ones are stored, at most 25, and nobody works them. The same ' +
            'content under the same external_id again answers 200 with the requisition as it now stands; other content ' +
            'is a 409. The specialty is kept as sent, and specialty_code says what it was understood as.',
          'x-idempotent': true,
          'x-status-headers': { 201: { Location: 'Where the new requisition is.' } },
        },
      },
    )
    .get('/jobs', ({ principal, query }) => listJobs(context, principal, query), {
      keyed: 'jobs:read',
      query: JobListQuery,
      response: responses({ 200: JobListAnswer }, KEYED, 'INVALID_CURSOR'),
      detail: {
        operationId: 'listJobs',
        summary: 'List your requisitions',
        description:
          'Of the tier of the key, newest first. A limit outside 1 to 100 is refused, not clamped.',
      },
    })
    .get('/jobs/:id', ({ principal, params }) => readJob(context, principal, params.id), {
      keyed: 'jobs:read',
      params: JobPath,
      response: responses({ 200: JobAnswer }, KEYED, 'NOT_FOUND'),
      detail: {
        operationId: 'getJob',
        summary: 'Read a requisition of yours',
        description: "Another partner's requisition, and one of the other tier, is a 404.",
      },
    })
    .patch('/jobs/:id', ({ principal, params, body }) => changeJob(context, principal, params.id, body), {
      keyed: 'jobs:write',
      params: JobPath,
      body: JobChange,
      response: responses(
        { 200: JobAnswer },
        KEYED,
        BODY,
        'NOT_FOUND',
        'INVALID_STATE',
        'REGISTRY_UNAVAILABLE',
      ),
      detail: {
        operationId: 'changeJob',
        summary: 'Change a requisition',
        description:
          'Any field but external_id; null clears an optional one. Not once it is filled, cancelled or closed.',
      },
    })
    .post('/jobs/:id/cancel', ({ principal, params }) => cancelJob(context, principal, params.id), {
      keyed: 'jobs:write',
      params: JobPath,
      response: responses({ 200: JobAnswer }, KEYED, BODY, 'NOT_FOUND', 'INVALID_STATE'),
      detail: {
        operationId: 'cancelJob',
        summary: 'Cancel a requisition',
        description:
          'For ever. A cancelled sandbox requisition still counts among the 25; deleting it frees its place.',
      },
    })
    .delete('/jobs/:id', ({ principal, params }) => deleteJob(context, principal, params.id), {
      keyed: 'jobs:write',
      params: JobPath,
      response: responses({ 200: DeletedJobAnswer }, KEYED, BODY, 'NOT_FOUND', 'INVALID_STATE'),
      detail: {
        operationId: 'deleteJob',
        summary: 'Delete a sandbox requisition',
        description: 'Frees its place. Live ones are cancelled, never deleted (409).',
      },
    });
