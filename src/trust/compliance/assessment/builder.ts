import { hexToBytes } from '../../../proof/encoding/hex.ts';
import { didKey } from '../../../proof/keys/did-key.ts';
import { readAnyRevocationEntry, readEvidenceEntry, readReceiptEntry } from '../../../proof/log/log-entry.ts';
import type { LogName } from '../../../proof/log/log-names.ts';
import type { PackageSubject } from '../../../proof/package/format.ts';
import { agentSetsOf, FRAMEWORKS } from '../frameworks/catalogue.ts';
import { ASSESSMENT_FRAMEWORKS } from '../frameworks/framework-ids.ts';
import { assess } from '../frameworks/mapping.ts';
import { AGENT_SETS } from '../frameworks/vocabulary.ts';
import type { PackageBuilder } from '../packages/builder.ts';
import { entriesOf } from './entries.ts';
import { type AgentFacts, agentFacts } from './store.ts';

/** What the package of an agent cannot show. */
const LIMITS = [
  'Only what was reported to this service is in the package. What the agent did without a receipt or evidence does not appear.',
  'A receipt states what its operator said of an action; the service did not observe the action.',
  'The sample proves that sampled references are in the sets and in the logs. Entries of receipts name no agent: only the sponsor, who has the receipts, can see that they are of the agent, and that a set has all of the period. Items of evidence name the agent, so that anyone who reads the log of evidence can compare them.',
  'Receipts count for an agent if its sponsor finalized them while the agent was not revoked.',
  'Revocations after the period do not appear, not even those of receipts of the period: ask for the status of a receipt.',
];

/** Builds the packages of agents from their receipts and evidence. */
export const assessmentBuilder: PackageBuilder = {
  kind: 'assessment',
  async draftOf(snapshot, { subject, framework, period, generatedAt, treeSizes }) {
    const id = ASSESSMENT_FRAMEWORKS.find((known) => known === framework);
    if (id === undefined) throw new Error(`no framework is called ${framework}`);
    const agent = await agentFacts(snapshot, subject);
    if (agent === null) return null;
    const { counts, leavesOf } = await entriesOf(snapshot, agent, { ...period, generatedAt }, treeSizes);
    const chosen = FRAMEWORKS[id];
    return {
      subject: agentSubject(subject, agent),
      frameworkEdition: chosen.edition,
      sets: agentSetsOf(chosen).map((name) => ({
        name,
        description: AGENT_SETS[name].description,
        leaves: leavesOf(name),
      })),
      controls: (sets) =>
        chosen.controls.map((control) => assess(control, control.agent, counts, Object.fromEntries(sets))),
      limits: LIMITS,
      payloadUrl: agentPayloadUrl,
    };
  },
};

/** Returns how a package names an agent. */
export function agentSubject(
  commitment: string,
  { publicKey, state }: Pick<AgentFacts, 'publicKey' | 'state'>,
): PackageSubject {
  return {
    type: 'agent',
    subject_commitment: commitment,
    did: didKey(hexToBytes(publicKey)),
    state,
  };
}

/**
 * Returns the path where a sponsor reads the content of an entry: a receipt by its id, an item in its list.
 */
function agentPayloadUrl(log: LogName, text: string): string | null {
  switch (log) {
    case 'receipts':
      return receiptUrl(readReceiptEntry(text).receipt_id);
    case 'revocations': {
      const entry = readAnyRevocationEntry(text);
      return 'receipt' in entry ? receiptUrl(entry.receipt.receipt_id) : null;
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

function receiptUrl(receiptId: string): string {
  return `/api/v1/receipts/${receiptId}`;
}
