import type { Snapshot } from '../../../platform/store/transaction.ts';
import { isHex } from '../../../proof/encoding/hex.ts';
import { isJsonObject, parseCanonicalJson } from '../../../proof/encoding/json.ts';
import type { CitedSet } from '../../../proof/package/format.ts';
import { FRAMEWORKS, frameworkLimits } from '../../../proof/package/frameworks/catalogue.ts';
import { AUDIT_FRAMEWORKS } from '../../../proof/package/frameworks/framework-ids.ts';
import { AUDIT_SETS } from '../../../proof/package/frameworks/vocabulary.ts';
import { newestPayloadsIn } from '../../evidence/newest-payloads.ts';
import { agentSubject } from '../assessment/builder.ts';
import { entriesOf } from '../assessment/entries.ts';
import { agentFacts } from '../assessment/store.ts';
import { countedAssessments } from '../assessors/counted-assessments.ts';
import type { BuildRequest, PackageBuilder, PackageDraft } from '../packages/builder.ts';
import { confirmationsOf } from '../packages/confirmations.ts';
import { type Report, reportOf } from './report.ts';
import { ReportTally } from './tally.ts';

/** The most reports that a package reads, of all frameworks, and the most characters of their payloads. */
const MOST_REPORTS = 5000;
const MOST_CHARACTERS = 32 * 2 ** 20;

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
  most = MOST_REPORTS,
): Promise<PackageDraft | null> {
  const id = AUDIT_FRAMEWORKS.find((one) => one === request.framework);
  const agent = isHex(request.subject, 32) ? await agentFacts(snapshot, request.subject) : null;
  if (id === undefined || agent === null) return null;
  const framework = FRAMEWORKS[id];
  const tally = new ReportTally(framework);
  const leaves: number[] = [];
  let read = 0;
  let characters = 0;
  let isComplete = true;
  for await (const { leafIndex, anchoredAt, payload } of newestPayloadsIn(snapshot, {
    agentSeq: agent.agentSeq,
    sourceType: 'compliance_report',
    // A report about the period can be anchored after it; the tree has those of before the package.
    period: { from: request.period.from, to: END_OF_TIME },
    treeSize: request.treeSizes.evidence,
  })) {
    if (read === most || characters > MOST_CHARACTERS) {
      isComplete = false;
      break;
    }
    read++;
    characters += payload.length;
    const parsed = parseCanonicalJson(payload);
    const report = isJsonObject(parsed) ? reportOf(parsed, id) : null;
    if (report === null || !isAbout(report, anchoredAt, request.period)) continue;
    tally.add(report, anchoredAt);
    leaves.push(leafIndex);
  }
  const { period, generatedAt, treeSizes, view, assessors } = request;
  const assessments = await countedAssessments(snapshot, {
    ...{ subject: agent, framework: id, period, treeSize: treeSizes.evidence, assessors },
  });
  leaves.push(...assessments.map(({ leafIndex }) => leafIndex));
  if (leaves.length === 0) return null;
  leaves.sort((one, other) => one - other);
  const confirmations = confirmationsOf(assessments, period, agent.issuedAt);
  const { records, coverage } = await entriesOf(snapshot, agent, { ...period, generatedAt }, treeSizes);
  return {
    subject: agentSubject(agent, view),
    frameworkEdition: framework.edition,
    coverage,
    records,
    assessors: confirmations.assessors,
    sets: [{ name: SET, description: AUDIT_SETS[SET].description, leaves: { evidence: leaves } }],
    controls: (sets) => tally.controls(setNamed(sets), period, confirmations),
    limits: [
      ...limitsOf(tally.otherControls, isComplete ? null : read),
      ...frameworkLimits(framework, framework.controls.length),
    ],
  };
}

/** Whether a report counts: by its own period, else by the time when it was anchored. */
function isAbout({ period }: Report, anchoredAt: string, { from, to }: BuildRequest['period']): boolean {
  const about = period ?? { from: anchoredAt, to: anchoredAt };
  return about.from < to && about.to >= from && (period === null || about.to > from);
}

const END_OF_TIME = '9999-12-31T23:59:59.999Z';

function setNamed(sets: ReadonlyMap<string, CitedSet>): CitedSet {
  const set = sets.get(SET);
  if (set === undefined) throw new Error(`the set ${SET} has no root`);
  return set;
}

/**
 * @param otherControls the number of other controls in reports
 * @param read how many reports were read; null if these are all
 */
function limitsOf(otherControls: number, read: number | null): string[] {
  return [
    'The agent signed the reports, and says itself of which period they are. The service does not repeat their tests.',
    'Reports that the agent did not anchor, or anchored under another name of the framework, do not appear.',
    ...(otherControls === 0
      ? []
      : [`Other controls that the reports assess are not listed: ${otherControls}.`]),
    ...(read === null ? [] : [`Only the newest ${read} compliance reports of the period were read.`]),
  ];
}
