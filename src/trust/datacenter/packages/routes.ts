import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { NotModified, oneOf, strictObject } from '../../../platform/http/schema.ts';
import { FORM_HEADERS } from '../../../platform/page/negotiation.ts';
import { CLUSTER_FRAMEWORKS, FRAMEWORK_NAMES } from '../../../proof/package/frameworks/framework-ids.ts';
import { PackageResponse, packageBody } from '../../compliance/packages/page/response.ts';
import { periodQuery } from '../../compliance/packages/schema.ts';
import type { PageSite } from '../../http/serving.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { ClusterPath } from '../schema.ts';
import { type ClusterPackageContext, clusterPackage } from './get-cluster-package.ts';

const [DEFAULT_FRAMEWORK] = CLUSTER_FRAMEWORKS;

const ClusterPackageQuery = strictObject({
  framework: Type.Optional(
    oneOf(CLUSTER_FRAMEWORKS, { description: `The framework. Default: \`${DEFAULT_FRAMEWORK}\`.` }),
  ),
  ...periodQuery,
});

export const clusterPackageRoutes = (
  trust: ClusterPackageContext,
  { open, countBuild }: RouteAuth,
  site: PageSite,
) =>
  new Elysia({ tags: ['Data centers'] }).use(open).get(
    '/api/v1/datacenter/compliance/packages/:id',
    async ({ params: { id }, query: { framework, ...query }, request, set, status }) => {
      const text = await clusterPackage(trust, {
        clusterId: id,
        framework: framework ?? DEFAULT_FRAMEWORK,
        query,
        countBuild: () => countBuild(request),
      });
      const context = { ...site, frameworkNames: FRAMEWORK_NAMES };
      const body = await packageBody(request, set.headers, text, context);
      return body ?? status(304, undefined);
    },
    {
      open: 'publicReads',
      params: ClusterPath,
      query: ClusterPackageQuery,
      response: { 200: PackageResponse, 304: NotModified },
      detail: { operationId: 'getClusterPackage', 'x-response-headers': FORM_HEADERS, security: [] },
    },
  );
