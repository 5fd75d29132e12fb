import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { NotModified, oneOf, strictObject } from '../../../platform/http/schema.ts';
import { FORM_HEADERS } from '../../../platform/page/negotiation.ts';
import { clockErrors } from '../../clock/errors.ts';
import { CLUSTER_FRAMEWORKS, FRAMEWORK_NAMES } from '../../compliance/frameworks/framework-ids.ts';
import { PackageResponse, packageAnswer } from '../../compliance/packages/page/response.ts';
import { periodQuery } from '../../compliance/packages/schema.ts';
import { commonErrors } from '../../http/errors.ts';
import { PUBLIC, responses, STORED } from '../../http/schema.ts';
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
  isDemonstration: boolean,
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
      const context = { isDemonstration, frameworkNames: FRAMEWORK_NAMES };
      const body = await packageAnswer(request, set.headers, text, context);
      return body ?? status(304, undefined);
    },
    {
      open: 'publicReads',
      params: ClusterPath,
      query: ClusterPackageQuery,
      response: responses(
        { 200: PackageResponse, 304: NotModified },
        PUBLIC,
        STORED,
        clockErrors.clock_wrong,
        commonErrors.not_found,
      ),
      detail: {
        operationId: 'getClusterPackage',
        'x-answer-headers': FORM_HEADERS,
        summary: 'Get a compliance package about a cluster',
        description:
          'A signed package of the kind `datacenter`: the controls of a framework, each with a status, what was counted, and a set of ' +
          'receipts with its Merkle root and a sample with proofs. An item belongs to the period in which its window ends. Simulated ' +
          'telemetry meets no requirement. `sections` has the metrics by class: `energy` (EU AI Act, Annex XI), `inventory` (emissions ' +
          'as ISO 14064-1 counts them) and apart from it `avoided` (ISO 14064-2). `GET /api/v1/compliance/frameworks` has the rule of each ' +
          'control. `countersign verify` verifies the package offline.\n\n' +
          'A package is built in the background and cached until telemetry arrives, at most ten minutes. At most 10 packages a minute and ' +
          'client address are built (the setting `limits.packages`); then 429. 503 `overloaded` if too many are being built, or if one ' +
          'takes too long: choose a shorter period. If Accept prefers text/html, the response is a page for people.',
        security: [],
      },
    },
  );
