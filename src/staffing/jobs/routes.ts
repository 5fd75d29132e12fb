import { Elysia } from 'elysia';
import type { Staffing } from '../context.ts';
import type { Doors } from '../doors.ts';
import { BODY_PROBLEMS, KEY_PROBLEMS, PREFIX, problemOf } from '../schema.ts';
import {
  DeletedJobAnswer,
  JobAnswer,
  JobChange,
  JobListAnswer,
  JobListQuery,
  JobPath,
  JobRequest,
} from './schema.ts';
import { cancelJob, changeJob, deleteJob, listJobs, readJob, submit } from './service.ts';

const UNAVAILABLE = problemOf(['STORAGE_UNAVAILABLE', 'REGISTRY_UNAVAILABLE']);
const ENDED = { 404: problemOf(['NOT_FOUND']), 409: problemOf(['INVALID_STATE']) };

export const jobRoutes = (staffing: Staffing, { keyed }: Doors) =>
  new Elysia({ prefix: PREFIX, tags: ['Requisitions'] })
    .use(keyed)
    .post(
      '/jobs',
      async ({ principal, body, once, set }) => {
        const { status, job } = await submit(staffing, principal, body, once);
        set.status = status;
        if (status === 201) set.headers.location = `${PREFIX}/jobs/${job.id}`;
        return job;
      },
      {
        keyed: 'jobs:write',
        body: JobRequest,
        response: {
          200: JobAnswer,
          201: JobAnswer,
          ...KEY_PROBLEMS,
          ...BODY_PROBLEMS,
          403: problemOf(['SCOPE_MISSING', 'REQUISITION_LIMIT_REACHED']),
          409: problemOf(['EXTERNAL_ID_CONFLICT', 'IDEMPOTENCY_CONFLICT']),
          503: UNAVAILABLE,
        },
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
    .get('/jobs', ({ principal, query }) => listJobs(staffing, principal, query), {
      keyed: 'jobs:read',
      query: JobListQuery,
      response: {
        200: JobListAnswer,
        ...KEY_PROBLEMS,
        400: problemOf(['VALIDATION_FAILED', 'INVALID_CURSOR']),
      },
      detail: {
        operationId: 'listJobs',
        summary: 'List your requisitions',
        description:
          'Of the tier of the key, newest first. A limit outside 1 to 100 is refused, not clamped.',
      },
    })
    .get('/jobs/:id', ({ principal, params }) => readJob(staffing, principal, params.id), {
      keyed: 'jobs:read',
      params: JobPath,
      response: { 200: JobAnswer, ...KEY_PROBLEMS, 404: problemOf(['NOT_FOUND']) },
      detail: {
        operationId: 'getJob',
        summary: 'Read a requisition of yours',
        description: "Another partner's requisition, and one of the other tier, is a 404.",
      },
    })
    .patch('/jobs/:id', ({ principal, params, body }) => changeJob(staffing, principal, params.id, body), {
      keyed: 'jobs:write',
      params: JobPath,
      body: JobChange,
      response: { 200: JobAnswer, ...KEY_PROBLEMS, ...BODY_PROBLEMS, ...ENDED, 503: UNAVAILABLE },
      detail: {
        operationId: 'changeJob',
        summary: 'Change a requisition',
        description:
          'Any field but external_id; null clears an optional one. Not once it is filled, cancelled or closed.',
      },
    })
    .post('/jobs/:id/cancel', ({ principal, params }) => cancelJob(staffing, principal, params.id), {
      keyed: 'jobs:write',
      params: JobPath,
      response: { 200: JobAnswer, ...KEY_PROBLEMS, ...BODY_PROBLEMS, ...ENDED },
      detail: {
        operationId: 'cancelJob',
        summary: 'Cancel a requisition',
        description:
          'For ever. A cancelled sandbox requisition still counts among the 25; deleting it frees its place.',
      },
    })
    .delete('/jobs/:id', ({ principal, params }) => deleteJob(staffing, principal, params.id), {
      keyed: 'jobs:write',
      params: JobPath,
      response: { 200: DeletedJobAnswer, ...KEY_PROBLEMS, ...BODY_PROBLEMS, ...ENDED },
      detail: {
        operationId: 'deleteJob',
        summary: 'Delete a sandbox requisition',
        description: 'Frees its place. Live ones are cancelled, never deleted (409).',
      },
    });
