import { Elysia } from 'elysia';
import { listPartners, promote, revokeKeys } from '../accounts/administration.ts';
import type { Staffing } from '../context.ts';
import type { Doors } from '../doors.ts';
import { AdminJobAnswer, AdminJobListAnswer, JobPath } from '../jobs/schema.ts';
import { BODY_PROBLEMS, PREFIX, problemOf } from '../schema.ts';
import { listAllJobs, setJobStatus } from './requisitions.ts';
import {
  AdminJobListQuery,
  MadeKeyAnswer,
  PartnerAnswer,
  PartnerListAnswer,
  PartnerListQuery,
  PartnerPath,
  RevokeRequest,
  StatusRequest,
} from './schema.ts';

const READ_PROBLEMS = {
  400: problemOf(['VALIDATION_FAILED', 'INVALID_CURSOR']),
  401: problemOf(['WRONG_KEY_TYPE', 'INVALID_ADMIN_TOKEN']),
  503: problemOf(['STORAGE_UNAVAILABLE']),
};
const WRITE_PROBLEMS = { ...READ_PROBLEMS, ...BODY_PROBLEMS, 404: problemOf(['NOT_FOUND']) };
const security = [{ adminToken: [] }];

export const adminRoutes = (staffing: Staffing, { admin }: Doors) =>
  new Elysia({ prefix: `${PREFIX}/admin`, tags: ['Administration'] })
    .use(admin)
    .get('/partners', ({ query }) => listPartners(staffing, query), {
      keyed: true,
      query: PartnerListQuery,
      response: { 200: PartnerListAnswer, ...READ_PROBLEMS },
      detail: {
        operationId: 'listPartners',
        summary: 'All partners',
        description: 'Newest first, with their keys and how many requisitions they have stored.',
        security,
      },
    })
    .post('/partners/:id/promote', ({ params }) => promote(staffing, params.id), {
      keyed: true,
      params: PartnerPath,
      response: { 200: MadeKeyAnswer, ...WRITE_PROBLEMS, 409: problemOf(['INVALID_STATE']) },
      detail: {
        operationId: 'promotePartner',
        summary: 'Make a partner live',
        description:
          'It keeps its id and gets its first live key, here and nowhere else. Its sandbox goes on.',
        security,
      },
    })
    .post(
      '/partners/:id/revoke',
      ({ params, body }) => revokeKeys(staffing, params.id, body?.key_id ?? null),
      {
        keyed: true,
        params: PartnerPath,
        body: RevokeRequest,
        response: { 200: PartnerAnswer, ...WRITE_PROBLEMS },
        detail: {
          'x-optional-body': true,
          operationId: 'revokePartnerKeys',
          summary: 'Revoke keys of a partner',
          description: 'The one that is named, or all of them; for the very next request.',
          security,
        },
      },
    )
    .get('/jobs', ({ query }) => listAllJobs(staffing, query), {
      keyed: true,
      query: AdminJobListQuery,
      response: { 200: AdminJobListAnswer, ...READ_PROBLEMS },
      detail: {
        operationId: 'listAllJobs',
        summary: "All partners' requisitions",
        description: 'Newest first.',
        security,
      },
    })
    .post('/jobs/:id/status', ({ params, body }) => setJobStatus(staffing, params.id, body.status), {
      keyed: true,
      params: JobPath,
      body: StatusRequest,
      response: { 200: AdminJobAnswer, ...WRITE_PROBLEMS, 409: problemOf(['INVALID_STATE']) },
      detail: {
        operationId: 'setJobStatus',
        summary: 'Move a live requisition',
        description:
          'open and on_hold either way, and from both to filled, cancelled or closed, which end it. The partner hears ' +
          'of it by webhook, and its history keeps it.',
        security,
      },
    });
