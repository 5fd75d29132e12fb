import { Elysia } from 'elysia';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { type AssessmentListContext, listAssessments } from './list-assessments.ts';
import {
  AssessmentListQuery,
  AssessmentListResponse,
  AssessmentRequest,
  AssessmentResponse,
  SubjectPath,
} from './schema.ts';
import { type AssessContext, submitAssessment } from './submit-assessment.ts';

export const assessmentsRoutes = (trust: AssessContext & AssessmentListContext, { open }: RouteAuth) =>
  new Elysia({ tags: ['Compliance'] })
    .use(open)
    .post(
      '/api/v1/passport/agents/:id/assessments',
      async ({ params, body, set }) => {
        const stored = await submitAssessment(trust, params.id, body);
        set.status = stored.duplicate ? 200 : 201;
        return stored;
      },
      {
        open: 'publicPosts',
        params: SubjectPath,
        body: AssessmentRequest,
        response: { 200: AssessmentResponse, 201: AssessmentResponse },
        detail: { operationId: 'assessAgent', security: [] },
      },
    )
    .get(
      '/api/v1/passport/agents/:id/assessments',
      ({ params, query }) => listAssessments(trust, params.id, query),
      {
        open: 'publicReads',
        params: SubjectPath,
        query: AssessmentListQuery,
        response: { 200: AssessmentListResponse },
        detail: { operationId: 'listAssessments', security: [] },
      },
    );
