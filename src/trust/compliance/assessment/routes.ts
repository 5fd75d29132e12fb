import { Elysia } from 'elysia';
import { NotModified } from '../../../platform/http/schema.ts';
import { FORM_HEADERS } from '../../../platform/page/negotiation.ts';
import { FRAMEWORK_NAMES } from '../../../proof/package/frameworks/framework-ids.ts';
import { noSuchAgent } from '../../agents/agents.ts';
import { CommitmentPath } from '../../agents/schema.ts';
import type { PageSite } from '../../http/serving.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { PackageResponse, packageBody } from '../packages/page/response.ts';
import { type AgentPackageContext, agentPackage } from './get-compliance-package.ts';
import { PackageQuery } from './schema.ts';

export const assessmentRoutes = (
  trust: AgentPackageContext,
  { identified, countBuild }: RouteAuth,
  site: PageSite,
) =>
  new Elysia({ tags: ['Compliance'] }).use(identified).get(
    '/api/v1/compliance/packages/:commitment',
    async ({ params: { commitment }, query, principal, request, set, status }) => {
      const text = await agentPackage(trust, {
        commitment,
        query,
        principal,
        request,
        countBuild: () => countBuild(request),
      });
      if (text === null) throw noSuchAgent();
      const context = { ...site, frameworkNames: FRAMEWORK_NAMES };
      const body = await packageBody(request, set.headers, text, context, principal !== null);
      return body ?? status(304, undefined);
    },
    {
      identified: { policy: 'publicReads', access: 'any' },
      params: CommitmentPath,
      query: PackageQuery,
      response: { 200: PackageResponse, 304: NotModified },
      detail: {
        operationId: 'getCompliancePackage',
        'x-response-headers': {
          ...FORM_HEADERS,
          'Cache-Control': '`no-cache`: ask again each time. `private` for a request with a key.',
        },
        security: [{}, { apiKey: [] }],
      },
    },
  );
