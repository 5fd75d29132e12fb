import type { OperationExamples } from '../../platform/http/openapi/openapi.ts';
import { packageExample } from './assessment/example.ts';
import { FRAMEWORKS } from './frameworks/catalogue.ts';
import { catalogueView } from './frameworks/catalogue-view.ts';
import { auditPackageExample } from './reports/example.ts';

/** Responses of the operations. That of the frameworks has one of them. */
export const examples: OperationExamples = {
  listComplianceFrameworks: { '200': catalogueView([FRAMEWORKS.EU_AI_ACT]) },
  getCompliancePackage: { '200': packageExample },
  getAuditPackage: { '200': auditPackageExample },
};
