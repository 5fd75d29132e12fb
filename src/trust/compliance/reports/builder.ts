import type { Snapshot } from '../../../platform/store/transaction.ts';
import { isHex } from '../../../proof/encoding/hex.ts';
import type { CitedSet } from '../../../proof/package/format.ts';
import { FRAMEWORKS, frameworkLimits } from '../../../proof/package/frameworks/catalogue.ts';
import { AUDIT_FRAMEWORKS } from '../../../proof/package/frameworks/framework-ids.ts';
import { AUDIT_SETS } from '../../../proof/package/frameworks/vocabulary.ts';
import { agentSubject } from '../assessment/builder.ts';
import { entriesOf } from '../assessment/entries.ts';
import { agentFacts, sponsorsIn } from '../assessment/store.ts';
import { countedAssessments } from '../assessors/counted-assessments.ts';
import type { BuildRequest, PackageBuilder, PackageDraft } from '../packages/builder.ts';
import { ASSESSOR_LIMIT, confirmationsOf } from '../packages/confirmations.ts';
import { onlyNewestSentence, reportsOf } from '../packages/read-reports.ts';
import { ReportTally } from './tally.ts';

const SET = 'assessing_reports' satisfies keyof typeof AUDIT_SETS;

/** Builds audit packages: what compliance reports of an agent say about the controls of a framework. */
export const auditBuilder: PackageBuilder = {
  kind: 'audit',
  draftOf: (snapshot, request) => auditDraft(snapshot, request),
};

/**
 * Returns an audit package as a draft; null for an agent without a report for the framework in the period.
 * @param most how many reports it reads, of all frameworks, the newest first
 */
export async function auditDraft(
  snapshot: Snapshot,
  request: BuildRequest,
  most?: number,
): Promise<PackageDraft | null> {
  const id = AUDIT_FRAMEWORKS.find((one) => one === request.framework);
  const agent = isHex(request.subject, 32) ? await agentFacts(snapshot, request.subject) : null;
  if (id === undefined || agent === null) return null;
  const framework = FRAMEWORKS[id];
  const tally = new ReportTally(framework);
  const { period, generatedAt, treeSizes, view, assessors } = request;
  const { reports, onlyNewest } = await reportsOf(
    snapshot,
    { agentSeq: agent.agentSeq, framework: id, period, treeSize: treeSizes.evidence },
    most,
  );
  for (const { report, anchoredAt } of reports) tally.add(report, anchoredAt);
  const assessments = await countedAssessments(snapshot, {
    ...{ subject: agent, framework: id, period, treeSize: treeSizes.evidence, assessors },
  });
  const leaves = [...reports, ...assessments].map(({ leafIndex }) => leafIndex);
  if (leaves.length === 0) return null;
  leaves.sort((one, other) => one - other);
  const confirmations = confirmationsOf(assessments, period, agent.issuedAt);
  const { records, coverage } = await entriesOf(snapshot, agent, { ...period, generatedAt }, treeSizes);
  return {
    subject: agentSubject(agent, await sponsorsIn(snapshot, agent, period), view),
    frameworkEdition: framework.edition,
    coverage,
    records,
    assessors: confirmations.assessors,
    sets: [{ name: SET, description: AUDIT_SETS[SET].description, leaves: { evidence: leaves } }],
    controls: (sets) => tally.controls(setNamed(sets), { framework: id, period }, confirmations),
    limits: [
      ...limitsOf(tally.otherControls, onlyNewest),
      ...frameworkLimits(framework, framework.controls.length),
    ],
  };
}

function setNamed(sets: ReadonlyMap<string, CitedSet>): CitedSet {
  const set = sets.get(SET);
  if (set === undefined) throw new Error(`the set ${SET} has no root`);
  return set;
}

/**
 * @param otherControls the number of other controls in reports
 * @param onlyNewest how many reports were read; null if these are all
 */
function limitsOf(otherControls: number, onlyNewest: number | null): string[] {
  return [
    'The agent signed the reports, and says itself of which period they are. The service does not repeat their tests.',
    ASSESSOR_LIMIT,
    'Reports that the agent did not anchor, or anchored under another name of the framework, do not appear.',
    ...(otherControls === 0
      ? []
      : [`Other controls that the reports assess are not listed: ${otherControls}.`]),
    ...(onlyNewest === null ? [] : [onlyNewestSentence(onlyNewest)]),
  ];
}
