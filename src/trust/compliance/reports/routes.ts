import { Elysia } from 'elysia';
import { NotModified } from '../../../platform/http/schema.ts';
import { FORM_HEADERS } from '../../../platform/page/negotiation.ts';
import { CommitmentPath } from '../../agents/schema.ts';
import { clockErrors } from '../../clock/errors.ts';
import { commonErrors } from '../../http/errors.ts';
import { PUBLIC, responses, STORED } from '../../http/schema.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { FRAMEWORK_NAMES } from '../frameworks/framework-ids.ts';
import { PackageResponse, packageAnswer } from '../packages/page/response.ts';
import { type AuditPackageContext, getAuditPackage } from './get-audit-package.ts';
import { AuditPackageQuery } from './schema.ts';

export const auditPackageRoutes = (
  trust: AuditPackageContext,
  { open, countBuild }: RouteAuth,
  isDemonstration: boolean,
) =>
  new Elysia({ tags: ['Compliance'] }).use(open).get(
    '/api/v1/compliance/audit-package/:commitment',
    async ({ params: { commitment }, query, request, set, status }) => {
      const text = await getAuditPackage(trust, commitment, query, () => countBuild(request));
      const context = { isDemonstration, frameworkNames: FRAMEWORK_NAMES };
      const body = await packageAnswer(request, set.headers, text, context);
      return body ?? status(304, undefined);
    },
    {
      open: 'publicReads',
      params: CommitmentPath,
      query: AuditPackageQuery,
      response: responses(
        { 200: PackageResponse, 304: NotModified },
        PUBLIC,
        STORED,
        clockErrors.clock_wrong,
        commonErrors.not_found,
      ),
      detail: {
        operationId: 'getAuditPackage',
        'x-answer-headers': FORM_HEADERS,
        summary: "Get what an agent's compliance reports say, as a signed package",
        description:
          'Counts, for each control of the framework, what the evidence of the type `compliance_report` in the period says about it. ' +
          '`satisfied`: all reports that assess it say pass. `partial`: some say fail. `not_assessed`: no report assesses it. Reports ' +
          'count whose `framework` is exactly the one asked for: at most the newest 5,000 of the period. The package cites these reports ' +
          'as entries of the log of evidence, with at most 20 proofs, and `countersign verify` checks it offline. 404 for an agent ' +
          'without one of these reports. Building is limited to 10 packages a minute and address (the setting `limits.packages`); a ' +
          'package that did not change is sent again. 503 `overloaded` while too many packages are being built. ' +
          'If Accept prefers text/html, the response is a page for people. It prints on A4.',
        security: [],
      },
    },
  );
