import { CanonicalJsonError, canonicalJson } from '../encoding/canonical-json.ts';
import { JsonError, type JsonObject, parseJsonBytes } from '../encoding/json.ts';
import type { Primitives } from '../primitives.ts';
import { type PublishedProposal, proposalIn } from './proposal.ts';
import { findProposalProblems, type ProposalProblems } from './verify-proposal.ts';

/** The verdicts on a proposal with their descriptions. The first one that applies is the result. */
export const PROPOSAL_VERDICTS = {
  malformed: 'This is not a well-formed AGORA proposal.',
  inconsistent: 'A party has another commitment than its public key and context give.',
  bad_signature: 'The agent of a step did not sign it.',
  bad_step: 'The hashes of the steps are wrong, or a step may not follow the one before it.',
  mismatch: 'What the document says of the proposal is not what its steps say.',
  valid: 'Both agents signed their steps, and each may follow the one before it.',
} as const;

export type ProposalVerdict = keyof typeof PROPOSAL_VERDICTS;

type Check = 'ok' | 'bad' | 'unchecked';

export interface ProposalResult {
  verdict: ProposalVerdict;
  /** Of each part of the proposal, as `ProposalProblems` names them. */
  checks: { parties: Check; signatures: Check; steps: Check; summary: Check };
  /** One sentence for each problem. */
  problems: string[];
  /** What an authentic proposal says; null for any other. */
  proposal: Pick<
    PublishedProposal,
    'proposal_id' | 'status' | 'from_commitment' | 'to_commitment' | 'terms'
  > | null;
}

/** A hostile document can have millions of problems; nobody reads more than the first ones. */
const MAX_PROBLEMS = 50;

/** Returns whether a document is a proposal. Whether it is well-formed does not matter. */
export function isProposal(document: JsonObject): boolean {
  return !Object.hasOwn(document, 'type') && Object.hasOwn(document, 'agora_version');
}

/**
 * Verifies a saved `GET /api/v1/agora/proposals/{proposalId}`, which proves itself. Never throws for any
 * document.
 */
export function judgeProposal(primitives: Primitives, bytes: Uint8Array): ProposalResult {
  const found = foundIn(primitives, bytes);
  if (typeof found === 'string') {
    const checks = {
      parties: 'unchecked',
      signatures: 'unchecked',
      steps: 'unchecked',
      summary: 'unchecked',
    } as const;
    return { verdict: 'malformed', checks, problems: [found], proposal: null };
  }
  const { problems, read } = found;
  const checkOf = (part: keyof ProposalProblems): Check => (problems[part].length === 0 ? 'ok' : 'bad');
  const checks: ProposalResult['checks'] = {
    parties: checkOf('parties'),
    signatures: checkOf('signatures'),
    steps: checkOf('steps'),
    summary: checkOf('summary'),
  };
  const verdict = firstOf(checks);
  const { proposal_id, status, from_commitment, to_commitment, terms } = read;
  return {
    verdict,
    checks,
    problems: [...problems.parties, ...problems.signatures, ...problems.steps, ...problems.summary].slice(
      0,
      MAX_PROBLEMS,
    ),
    proposal: verdict === 'valid' ? { proposal_id, status, from_commitment, to_commitment, terms } : null,
  };
}

/** Reads a proposal and finds its problems. @returns a sentence for a document that is not well-formed */
function foundIn(
  primitives: Primitives,
  bytes: Uint8Array,
): { read: PublishedProposal; problems: ProposalProblems } | string {
  try {
    const document = parseJsonBytes(bytes);
    // Also for what is not signed, such as the context of a party.
    canonicalJson(document);
    const read = proposalIn(document);
    if (read === null) return 'a member is missing, unknown or not of its form';
    return { read, problems: findProposalProblems(primitives, read) };
  } catch (error) {
    if (error instanceof JsonError) return error.message;
    if (!(error instanceof CanonicalJsonError)) throw error;
    return 'the proposal has a number that is too large, or half of a surrogate pair, so it cannot be signed';
  }
}

function firstOf({ parties, signatures, steps, summary }: ProposalResult['checks']): ProposalVerdict {
  if (parties !== 'ok') return 'inconsistent';
  if (signatures !== 'ok') return 'bad_signature';
  if (steps !== 'ok') return 'bad_step';
  return summary === 'ok' ? 'valid' : 'mismatch';
}
