import type { AgentRow } from '../../agents/agents.ts';

/** What decides whether an assessor stands for itself. */
export interface Assessor {
  state: AgentRow['state'];
  sponsorSeq: number | null;
  /** The status of its sponsor's account; null without a sponsor. */
  sponsorStatus: string | null;
}

/**
 * Returns why an agent cannot assess another now; null if it can. Checked when it assesses, and whenever a
 * package counts its assessments: a sponsor can change, and an account can be suspended.
 * @param subjectSponsor operator_seq of the sponsor of the assessed agent
 */
export function dependenceOf(assessor: Assessor, subjectSponsor: number | null): string | null {
  if (assessor.state === 'REVOKED') return 'The assessor was revoked.';
  if (assessor.sponsorSeq === null) return 'The assessor has no sponsor, so nobody answers for it.';
  if (assessor.sponsorStatus !== 'ACTIVE') return "The account of the assessor's sponsor is not active.";
  if (assessor.sponsorSeq === subjectSponsor)
    return 'The assessor and the assessed agent have the same sponsor.';
  return null;
}
