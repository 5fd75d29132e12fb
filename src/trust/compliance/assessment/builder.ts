import type { Snapshot } from '../../../platform/store/transaction.ts';
import { hexToBytes } from '../../../proof/encoding/hex.ts';
import { didKey } from '../../../proof/keys/did-key.ts';
import { readAnyRevocationEntry, readEvidenceEntry, readReceiptEntry } from '../../../proof/log/log-entry.ts';
import type { LogName } from '../../../proof/log/log-names.ts';
import type { PackageSubject, PackageView } from '../../../proof/package/format.ts';
import { agentSetsOf, FRAMEWORKS, frameworkLimits } from '../../../proof/package/frameworks/catalogue.ts';
import { ASSESSMENT_FRAMEWORKS } from '../../../proof/package/frameworks/framework-ids.ts';
import { assess, type Framework } from '../../../proof/package/frameworks/mapping.ts';
import { AGENT_SETS, type AgentSet, ASSESSMENTS_SET } from '../../../proof/package/frameworks/vocabulary.ts';
import type { Receipt } from '../../../proof/receipt/receipt.ts';
import { mask } from '../../operators/mask.ts';
import { signedVersionOf } from '../../receipts/signed-version.ts';
import { countedAssessments, type LoggedAssessment } from '../assessors/counted-assessments.ts';
import type { PackageBuilder, SetDraft } from '../packages/builder.ts';
import { ASSESSOR_LIMIT, confirmationsOf } from '../packages/confirmations.ts';
import { onlyNewestSentence, reportsOf } from '../packages/read-reports.ts';
import { entriesOf } from './entries.ts';
import { ownReportsOf } from './own-reports.ts';
import { type AgentFacts, agentFacts, sponsorsIn } from './store.ts';

/** What the package of an agent cannot show, and what a dishonest operator can still do. */
const LIMITS = [
  'Only what was reported to this service is in the package. What the agent did without a receipt or evidence does not appear.',
  'A receipt states what its operator said of an action; the service did not observe the action. An operator can issue receipts for actions that never took place.',
  'Coverage counts days and not work: one receipt on each of 20 days, no more than 7 days apart, covers a period. Compare the number of receipts with the work that is known from elsewhere.',
  'Whoever asks for a package chooses its period, framework and agent. An operator can have many agents and show the best of them.',
  'Receipts that are open for less than 30 days forbid no status. They are counted as open.',
  'Two operators that belong together can confirm each other in everything but assessments: only assessors that this service lists count, and none that has the sponsor of the agent when the package is made. Who sponsored either of them before is not looked at.',
  'The sample proves that sampled references are in the sets and in the logs. Entries of receipts name no agent: only the package for the sponsor has the sampled receipts, which show that they are of the agent. Only the sponsor, who has all receipts, can see that a set has all of the period. Items of evidence name the agent, so that anyone who reads the log of evidence can compare them.',
  'Receipts count for an agent if its sponsor finalized them while the agent was not revoked. What a former sponsor finalizes after it lost the agent is in no count.',
  'Revocations after the package was made do not appear: ask for the status of a receipt.',
  ASSESSOR_LIMIT,
];

/** Builds the packages of agents from their receipts and evidence. */
export const assessmentBuilder: PackageBuilder = {
  kind: 'assessment',
  async draftOf(snapshot, request) {
    const { subject, framework, period, generatedAt, view, treeSizes } = request;
    const id = ASSESSMENT_FRAMEWORKS.find((known) => known === framework);
    if (id === undefined) throw new Error(`no framework is called ${framework}`);
    const agent = await agentFacts(snapshot, subject);
    if (agent === null) return null;
    const entries = await entriesOf(snapshot, agent, { ...period, generatedAt }, treeSizes);
    const { coverage, records, leavesOf } = entries;
    const chosen = FRAMEWORKS[id];
    const listed = await countedAssessments(snapshot, {
      ...{ subject: agent, framework, period, treeSize: treeSizes.evidence },
      assessors: request.assessors,
    });
    const { assessors, of, said } = confirmationsOf(listed, period, agent.issuedAt);
    const { reports, onlyNewest } = await reportsOf(snapshot, {
      ...{ agentSeq: agent.agentSeq, framework, period, treeSize: treeSizes.evidence },
    });
    const own = ownReportsOf(reports);
    const facts = { framework, period, coverage };
    return {
      subject: agentSubject(agent, await sponsorsIn(snapshot, agent, period), view),
      frameworkEdition: chosen.edition,
      coverage,
      records,
      assessors,
      sets: [
        ...agentSetsOf(chosen).map((name) => ({
          name,
          description: AGENT_SETS[name].description,
          leaves: leavesOf(name, own(controlCiting(chosen, name)).leaves),
        })),
        ...(listed.length === 0 ? [] : [assessmentsSet(listed)]),
      ],
      controls: (sets) =>
        chosen.controls.map((control) => {
          const reported = own(control.id);
          const counts = { ...entries.counts, ...reported.counts, ...of(control.id) };
          const sentences = [...reported.said, ...said(control.id)];
          return assess(control, control.agent, counts, Object.fromEntries(sets), facts, sentences);
        }),
      limits: [
        ...LIMITS,
        ...(onlyNewest === null ? [] : [onlyNewestSentence(onlyNewest)]),
        ...frameworkLimits(chosen, chosen.controls.length),
      ],
      payloadUrl: agentPayloadUrl,
      receiptOf: (log, entry) => receiptOfEntry(snapshot, agent.sponsorSeq, log, entry),
    };
  },
};

/** Returns the id of the first control that cites a set: the only one, of a set that has reports. */
function controlCiting({ controls }: Framework, set: AgentSet): string {
  return controls.find(({ agent }) => agent?.set === set)?.id ?? '';
}

/** Returns the set of the assessments that count. */
function assessmentsSet(listed: readonly LoggedAssessment[]): SetDraft {
  return {
    name: ASSESSMENTS_SET,
    description: 'Assessments of the agent by listed assessors for this framework, of a part of the period.',
    leaves: { evidence: listed.map(({ leafIndex }) => leafIndex).sort((one, other) => one - other) },
  };
}

/**
 * Returns how a package names an agent: its operator masked, but for the sponsor.
 * @param sponsors the operators that sponsored it in the period
 */
export function agentSubject(
  {
    subjectCommitment,
    publicKey,
    name,
    state,
    sponsor,
  }: Pick<AgentFacts, 'subjectCommitment' | 'publicKey' | 'name' | 'state' | 'sponsor'>,
  sponsors: readonly string[],
  view: PackageView,
): PackageSubject & { type: 'agent' } {
  const isWhole = view === 'sponsor' && sponsor !== null;
  const shown = (id: string): string => (isWhole && id === sponsor ? id : mask(id, 'op_cus_'));
  return {
    type: 'agent',
    name,
    operator: sponsor === null ? null : shown(sponsor),
    sponsors: sponsors.map(shown),
    subject_commitment: subjectCommitment,
    did: didKey(hexToBytes(publicKey)),
    state,
    ...(isWhole && { sponsor }),
  };
}

/**
 * Returns the path where a sponsor reads the content of an entry: a receipt by its id, an item in its list.
 */
function agentPayloadUrl(log: LogName, text: string): string | null {
  switch (log) {
    case 'receipts':
    case 'revocations': {
      const receipt = loggedReceipt(log, text);
      return receipt === null ? null : `/api/v1/receipts/${receipt.receipt_id}`;
    }
    case 'evidence': {
      const { subject_commitment, source_type } = readEvidenceEntry(text);
      return `/api/v1/passport/agents/${subject_commitment}/evidence?source_type=${source_type}`;
    }
    case 'keys':
    case 'accounts':
      return null;
  }
}

/**
 * Returns the receipt that an entry of the logs is of, as it was signed then; null for another entry, and for
 * a receipt of another operator than the sponsor, who may not see it.
 */
async function receiptOfEntry(
  snapshot: Snapshot,
  sponsorSeq: number | null,
  log: LogName,
  text: string,
): Promise<Receipt | null> {
  const entry = loggedReceipt(log, text);
  return entry === null || sponsorSeq === null ? null : signedVersionOf(snapshot, sponsorSeq, entry);
}

function loggedReceipt(log: LogName, text: string): { receipt_id: string; content_hash: string } | null {
  if (log === 'receipts') return readReceiptEntry(text);
  const entry = log === 'revocations' ? readAnyRevocationEntry(text) : null;
  return entry !== null && 'receipt' in entry ? entry.receipt : null;
}
