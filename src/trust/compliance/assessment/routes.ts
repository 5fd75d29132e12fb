import { Elysia } from 'elysia';
import { NotModified } from '../../../platform/http/schema.ts';
import { FORM_HEADERS } from '../../../platform/page/negotiation.ts';
import { noSuchAgent } from '../../agents/agents.ts';
import { CommitmentPath } from '../../agents/schema.ts';
import { clockErrors } from '../../clock/errors.ts';
import { commonErrors } from '../../http/errors.ts';
import { PUBLIC, responses, STORED } from '../../http/schema.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { FRAMEWORK_NAMES } from '../frameworks/framework-ids.ts';
import { PackageResponse, packageAnswer } from '../packages/page/response.ts';
import { type AgentPackageContext, agentPackage } from './get-compliance-package.ts';
import { PackageQuery } from './schema.ts';

export const assessmentRoutes = (
  trust: AgentPackageContext,
  { identified, countBuild }: RouteAuth,
  isDemonstration: boolean,
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
      const context = { isDemonstration, frameworkNames: FRAMEWORK_NAMES };
      const body = await packageAnswer(request, set.headers, text, context, principal !== null);
      return body ?? status(304, undefined);
    },
    {
      identified: { policy: 'publicReads', access: 'any' },
      params: CommitmentPath,
      query: PackageQuery,
      response: responses(
        { 200: PackageResponse, 304: NotModified },
        PUBLIC,
        STORED,
        clockErrors.clock_wrong,
        commonErrors.unauthorized,
        commonErrors.forbidden,
        commonErrors.not_found,
      ),
      detail: {
        operationId: 'getCompliancePackage',
        'x-answer-headers': {
          ...FORM_HEADERS,
          'Cache-Control': '`no-cache`: ask again each time. `private` for a request with a key.',
        },
        summary: 'Get what the logs show about an agent for the controls of a framework, as a signed package',
        description:
          'Maps each control of the framework to what the service knows of the agent over a period: receipts by `finalized_at`, evidence by ' +
          '`anchored_at`, revocations by `revoked_at`. A control is `satisfied`, `partial` or `not_assessed` by a rule over its counts ' +
          '(`GET /api/v1/compliance/frameworks`). It cites a set of log entries: their number and the root of the Merkle tree over all ' +
          'of them. Of each set, the package has at most 20 entries with proofs that the set and the log contain them. Which ones follows ' +
          'from the root, so nobody chose them. `countersign verify package.json` checks everything offline; `limits` says what a package ' +
          'cannot show. Also of a revoked agent. With a key that may act for the agent, or an admin key, the view is `sponsor`: each ' +
          'sampled reference also has the `payload_url` of what it commits to. Building is limited to 10 packages a minute and address ' +
          '(the setting `limits.packages`); a package that did not change is sent again. 503 `overloaded` while too many packages are ' +
          'being built, and for a package that takes longer than 8 seconds: choose a shorter period then. `Accept: text/html` returns ' +
          'a page without scripts, for the screen and for A4.',
        security: [{}, { apiKey: [] }],
      },
    },
  );
