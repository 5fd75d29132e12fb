import { Elysia } from 'elysia';
import { NotModified } from '../../../platform/http/schema.ts';
import { FORM_HEADERS } from '../../../platform/page/negotiation.ts';
import { FRAMEWORK_NAMES } from '../../../proof/package/frameworks/framework-ids.ts';
import { CommitmentPath } from '../../agents/schema.ts';
import type { PageSite } from '../../http/serving.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { PackageResponse, packageBody } from '../packages/page/response.ts';
import { type AuditPackageContext, getAuditPackage } from './get-audit-package.ts';
import { AuditPackageQuery } from './schema.ts';

export const auditPackageRoutes = (
  trust: AuditPackageContext,
  { open, countBuild }: RouteAuth,
  site: PageSite,
) =>
  new Elysia({ tags: ['Compliance'] }).use(open).get(
    '/api/v1/compliance/audit-package/:commitment',
    async ({ params: { commitment }, query, request, set, status }) => {
      const text = await getAuditPackage(trust, commitment, query, () => countBuild(request));
      const context = { ...site, frameworkNames: FRAMEWORK_NAMES };
      const body = await packageBody(request, set.headers, text, context);
      return body ?? status(304, undefined);
    },
    {
      open: 'publicReads',
      params: CommitmentPath,
      query: AuditPackageQuery,
      response: { 200: PackageResponse, 304: NotModified },
      detail: { operationId: 'getAuditPackage', 'x-response-headers': FORM_HEADERS, security: [] },
    },
  );
