import { subjectCommitment } from '../agent/commitment.ts';
import { canonicalJson } from '../encoding/canonical-json.ts';
import { hexToBytes } from '../encoding/hex.ts';
import { verifyStrict } from '../keys/ed25519.ts';
import type { Primitives } from '../primitives.ts';
import { type AgoraStep, agoraEntryHash, agoraStepMessage } from './entry.ts';
import { isOffer, type Move, refusalOf, statusAfter } from './negotiation.ts';
import type { PublishedProposal, PublishedStep } from './proposal.ts';

/** What is wrong with a proposal, as sentences by what they are about. */
export interface ProposalProblems {
  /** The commitments of the parties. */
  parties: string[];
  /** The hashes and the order of the steps. */
  steps: string[];
  /** The signatures of the steps. */
  signatures: string[];
  /** What the document says about its steps as a whole. */
  summary: string[];
}

/**
 * Verifies a proposal with nothing but its document: the commitments of both parties, the hash of every
 * entry, the chain of the steps, that each step was allowed, and that its agent signed it. It trusts no key
 * of the service.
 * @returns the problems; none if the proposal is authentic. @throws CanonicalJsonError
 */
export function findProposalProblems(primitives: Primitives, proposal: PublishedProposal): ProposalProblems {
  const { proposal_id, parties, timeline } = proposal;
  const problems: ProposalProblems = { parties: [], steps: [], signatures: [], summary: [] };
  const keys = new Map<string, string>();
  for (const { commitment, public_key, context } of parties) {
    if (subjectCommitment(primitives, public_key, context) === commitment) keys.set(commitment, public_key);
    else problems.parties.push(`The commitment ${commitment} is not that of its public key and context.`);
  }
  for (const [taken, step] of timeline.entries()) {
    const named = (what: string): string => `Step ${taken + 1} (${step.action}): ${what}`;
    const found = stepProblems(primitives, proposal_id, step, timeline[taken - 1] ?? null, taken);
    problems.steps.push(...found.map(named));
    const key = keys.get(step.commitment);
    if (key === undefined) problems.signatures.push(named('Its agent is not among the parties.'));
    else if (!isSigned(primitives, proposal_id, step, key))
      problems.signatures.push(named('Its signature is not by its agent.'));
  }
  problems.summary.push(...summaryProblems(proposal));
  return problems;
}

/** Returns what `findProposalProblems` finds as one list. @throws CanonicalJsonError */
export function proposalProblems(primitives: Primitives, proposal: PublishedProposal): string[] {
  const { parties, steps, signatures, summary } = findProposalProblems(primitives, proposal);
  return [...parties, ...steps, ...signatures, ...summary];
}

/**
 * Returns whether the agent of a step signed it. @param publicKey 64 hexadecimal characters @throws
 * CanonicalJsonError
 */
export function isSigned(
  primitives: Primitives,
  proposalId: string,
  step: AgoraStep,
  publicKey: string,
): boolean {
  const message = agoraStepMessage(primitives, proposalId, step);
  return verifyStrict(primitives, hexToBytes(step.agent_auth.signature), message, hexToBytes(publicKey));
}

/** Returns the problems of one step: its hash, its place, and whether it may follow the one before it. */
function stepProblems(
  primitives: Primitives,
  proposalId: string,
  { entry_hash, ...step }: PublishedStep,
  last: PublishedStep | null,
  taken: number,
): string[] {
  const problems: string[] = [];
  if (agoraEntryHash(primitives, proposalId, step) !== entry_hash)
    problems.push('Its entry_hash is not the digest of the entry.');
  if (step.proposal_prev_hash !== (last?.entry_hash ?? null))
    problems.push('Its proposal_prev_hash is not the entry_hash of the step before it.');
  if (last !== null && step.index <= last.index)
    problems.push('Its index is not greater than that of the step before it.');
  if (last !== null && step.index === last.index + 1 && step.prev_hash !== last.entry_hash)
    problems.push('Its prev_hash is not the entry_hash of the entry before it.');
  // A signature counts in the installation that it names, so the steps of two of them make no agreement.
  if (last !== null && step.agent_auth.audience !== last.agent_auth.audience)
    problems.push('Its audience is not that of the step before it.');
  if ((step.terms !== null) !== isOffer(step.action))
    problems.push('An offer has terms, and no other step has any.');
  const refusal = refusalOf(last === null ? null : moveOf(last), taken, moveOf(step));
  return refusal === null ? problems : [...problems, refusal.message];
}

/** Returns the problems of what the document says about its steps as a whole. */
function summaryProblems(proposal: PublishedProposal): string[] {
  const { timeline, status, action, ledger_anchor, from_commitment, to_commitment, terms, parties } =
    proposal;
  const [first] = timeline;
  const last = timeline.at(-1);
  if (first === undefined || last === undefined) return ['The timeline is empty.'];
  const problems: string[] = [];
  if (action !== last.action || status !== statusAfter(last.action))
    problems.push(`The last step is ${last.action}, so the status is ${statusAfter(last.action)}.`);
  const { index, entry_hash, prev_hash } = ledger_anchor;
  if (index !== last.index || entry_hash !== last.entry_hash || prev_hash !== last.prev_hash)
    problems.push('The ledger_anchor is not that of the last step.');
  if (from_commitment !== first.commitment || to_commitment !== first.to_commitment)
    problems.push('The agents are not those of the first step.');
  if (
    parties.length !== 2 ||
    parties[0]?.commitment !== from_commitment ||
    parties[1]?.commitment !== to_commitment
  )
    problems.push('The parties are not both agents, the one that proposed first.');
  const offered = timeline.findLast((step) => step.terms !== null)?.terms ?? null;
  if (canonicalJson(terms) !== canonicalJson(offered))
    problems.push('The terms are not those of the newest offer.');
  return problems;
}

function moveOf({ action, commitment, to_commitment }: AgoraStep): Move {
  return { action, from: commitment, to: to_commitment };
}
