import type { Snapshot } from '../../../platform/store/transaction.ts';
import { isJsonObject, parseCanonicalJson } from '../../../proof/encoding/json.ts';
import type { CitedSet } from '../../../proof/package/format.ts';
import { FRAMEWORKS, frameworkLimits } from '../../../proof/package/frameworks/catalogue.ts';
import { AUDIT_FRAMEWORKS } from '../../../proof/package/frameworks/framework-ids.ts';
import { AUDIT_SETS } from '../../../proof/package/frameworks/vocabulary.ts';
import { newestPayloadsIn } from '../../evidence/newest-payloads.ts';
import { agentSubject } from '../assessment/builder.ts';
import { entriesOf } from '../assessment/entries.ts';
import { agentFacts } from '../assessment/store.ts';
import type { BuildRequest, PackageBuilder, PackageDraft } from '../packages/builder.ts';
import { reportOf } from './report.ts';
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
  const agent = await agentFacts(snapshot, request.subject);
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
    period: request.period,
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
    if (report === null) continue;
    tally.add(report, anchoredAt);
    leaves.push(leafIndex);
  }
  if (leaves.length === 0) return null;
  const { period, generatedAt, treeSizes, view } = request;
  const { records, coverage } = await entriesOf(snapshot, agent, { ...period, generatedAt }, treeSizes);
  return {
    subject: agentSubject(agent, view),
    frameworkEdition: framework.edition,
    coverage,
    records,
    assessors: [],
    sets: [{ name: SET, description: AUDIT_SETS[SET].description, leaves: { evidence: leaves.reverse() } }],
    controls: (sets) => tally.controls(setNamed(sets), request.period),
    limits: [...limitsOf(tally.otherControls, isComplete ? null : read), ...frameworkLimits(framework)],
  };
}

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
    'The agent signed the reports. The service does not repeat their tests.',
    'Reports that the agent did not anchor, or anchored under another name of the framework, do not appear.',
    ...(otherControls === 0
      ? []
      : [`Other controls that the reports assess are not listed: ${otherControls}.`]),
    ...(read === null ? [] : [`Only the newest ${read} compliance reports of the period were read.`]),
  ];
}
