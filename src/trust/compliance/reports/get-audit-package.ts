import type { Snapshot } from '../../../platform/store/transaction.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { AUDIT_FRAMEWORKS } from '../../../proof/package/frameworks/framework-ids.ts';
import { requireAgentIn } from '../../agents/agents.ts';
import { newestLeafIn } from '../../evidence/newest-payloads.ts';
import { commonErrors } from '../../http/errors.ts';
import { newestAssessmentLeaf } from '../assessors/counted-assessments.ts';
import { requestedPeriod } from '../packages/period.ts';
import type { PackageSource, PackageText, SubjectState } from '../packages/request.ts';
import type { AuditPackageQuery } from './schema.ts';

export type AuditPackageContext = { packages: PackageSource; clock: Clock };

/**
 * Returns the signed audit package of an agent: what its compliance reports in a period say about the
 * controls of a framework.
 * @param countBuild counts a build against the limit of the caller
 * @throws ApiError not_found for an unknown agent, and for one without a matching report; validation_error;
 * and those of `packages.get`
 */
export async function getAuditPackage(
  { packages, clock }: AuditPackageContext,
  commitment: string,
  { framework = AUDIT_FRAMEWORKS[0], from, to }: AuditPackageQuery,
  countBuild: () => Promise<void>,
): Promise<PackageText> {
  const period = requestedPeriod(clock, { from, to });
  const text = await packages.get({
    ...{ kind: 'audit', subject: commitment, framework, period, view: 'public', countBuild },
    subjectIn: (snapshot, _sizes, assessors) => subjectIn(snapshot, commitment, assessors),
  });
  if (text !== null) return text;
  throw commonErrors.not_found({
    message:
      `The agent has no compliance_report and no counted assessment for ${framework} between ${period.from} and ${period.to}. ` +
      'Choose another framework or period, or anchor a report.',
  });
}

async function subjectIn(
  snapshot: Snapshot,
  commitment: string,
  assessors: readonly string[],
): Promise<SubjectState> {
  const { agentSeq, state, sponsorSeq } = await requireAgentIn(snapshot, commitment);
  const newest = await newestLeafIn(snapshot, agentSeq, 'compliance_report');
  const assessed = await newestAssessmentLeaf(snapshot, agentSeq, assessors);
  const last = [newest, assessed]
    .filter((one) => one !== null)
    .sort((one, other) => one.leafIndex - other.leafIndex)
    .at(-1);
  return {
    state: `${state} ${sponsorSeq}`,
    version: `${newest?.leafIndex} ${assessed?.leafIndex}`,
    changedAt: last?.anchoredAt ?? null,
    sizesNeeded: last === undefined ? {} : { evidence: last.leafIndex + 1 },
  };
}
